/** The browser's storage. It may be unavailable (private windows, full disks): then values last as long as the page. */

/** The caches begin with this that keep what playing without the server needs; `public/sw.js` leaves them alone. */
export const KEPT_CACHES = "fivedice-local-";

type Kind = "local" | "session";

export function store(kind: Kind, key: string, value: string): void {
  try {
    storage(kind).setItem(key, value);
  } catch (error) {
    console.warn("fivedice: cannot write to the browser's storage:", error);
  }
}

/** The stored value; null if there is none or the storage is unavailable. */
export function load(kind: Kind, key: string): string | null {
  try {
    return storage(kind).getItem(key);
  } catch (error) {
    console.warn("fivedice: cannot read the browser's storage:", error);
    return null;
  }
}

function storage(kind: Kind): Storage {
  return kind === "local" ? localStorage : sessionStorage;
}
