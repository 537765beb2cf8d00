/** What this browser's user chose for the page itself; kept in the browser where it lets a page keep things. */

export const THEMES = ["auto", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

interface Stored {
  language: string;
  theme: Theme;
  sound: boolean;
  name: string;
}

const KEY = "fivedice";
const DEFAULTS: Stored = { language: "", theme: "auto", sound: false, name: "" };

export const settings = $state<Stored>({ ...DEFAULTS, ...stored() });

export function change(changed: Partial<Stored>): void {
  Object.assign(settings, changed);
  keep("local", KEY, JSON.stringify(settings));
}

/** Storage may be closed to a page (private windows, full disks): then choices last as long as the page. */
export function keep(kind: "local" | "session", key: string, value: string): void {
  try {
    storage(kind).setItem(key, value);
  } catch (refused) {
    console.warn("fivedice: the browser keeps nothing:", refused);
  }
}

export function kept(kind: "local" | "session", key: string): string | null {
  try {
    return storage(kind).getItem(key);
  } catch (refused) {
    console.warn("fivedice: the browser kept nothing:", refused);
    return null;
  }
}

function storage(kind: "local" | "session"): Storage {
  return kind === "local" ? localStorage : sessionStorage;
}

function stored(): Partial<Stored> {
  const text = kept("local", KEY);
  if (!text) return {};
  try {
    return JSON.parse(text) as Partial<Stored>;
  } catch {
    return {}; // not written by this page: begin anew
  }
}
