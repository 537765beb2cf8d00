/** Whether this page has a server, and where its pages are if it has none. */

/** Whether this is a static site, without a server behind it: `make static` builds it. This browser plays by itself. */
export const IS_STATIC = import.meta.env.MODE === "static";

/** The address of this page, as a server has it. Any host serves a static site, so that has it in the part after `#`. */
export function here(): URL {
  return IS_STATIC ? new URL(location.hash.slice(1) || "/", location.origin) : new URL(location.href);
}

/** What the browser's address bar shows for a path. */
export function shown(path: string): string {
  return IS_STATIC ? `#${path}` : path;
}

/** The whole address of a path, to share. */
export function absolute(path: string): string {
  return new URL(shown(path), location.href).href;
}
