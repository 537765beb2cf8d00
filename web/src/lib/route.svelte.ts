/** The current address, which links and the browser's buttons change without a reload, unless there is a newer page. */

import { server } from "./server.svelte";
import { here, IS_STATIC, shown } from "./site";

const first = here();
export const route = $state({ path: first.pathname, search: first.search, hash: first.hash });

export function go(path: string): void {
  if (server.hasOtherPage) {
    location.assign(path);
    return;
  }
  push(path);
  window.scrollTo(0, 0);
}

/** Changes the address of this page, which stays where it is: the browser's back button changes it back. */
export function push(path: string): void {
  history.pushState(null, "", shown(path));
  update();
}

/** Changes the address of this page in place: the browser's back button leaves the page. */
export function replace(path: string): void {
  history.replaceState(null, "", shown(path));
  update();
}

/** Makes links within this site change the page without a reload. */
export function followLinks(): void {
  window.addEventListener("popstate", update);
  if (IS_STATIC) new MutationObserver(showPaths).observe(document, { subtree: true, childList: true, attributeFilter: ["href"] });
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
    const isPath = IS_STATIC && link.hash.startsWith("#/");
    const { pathname, search, hash } = isPath ? new URL(link.hash.slice(1), location.origin) : link;
    if (!isPath && (pathname.startsWith("/api") || pathname.includes("."))) return;
    if (IS_STATIC && !isPath && link.getAttribute("href")?.startsWith("#")) {
      // A place on this page; the browser would take it for an address.
      event.preventDefault();
      document.querySelector<HTMLElement>(hash)?.focus();
      document.querySelector(hash)?.scrollIntoView();
      return;
    }
    if (pathname === here().pathname && hash) return;
    event.preventDefault();
    go(pathname + search + hash);
  });
}

/** Gives links to paths of a static site the addresses that the browser opens in another tab. */
function showPaths(): void {
  for (const link of document.querySelectorAll("a[href^='/']")) link.setAttribute("href", shown(link.getAttribute("href") ?? ""));
}

function update(): void {
  const { pathname, search, hash } = here();
  Object.assign(route, { path: pathname, search, hash });
}

/** The path of a position, in notation. Under custom rules it names the table that has them, if there is one. */
export function positionPath(position: string, { is_custom }: { readonly is_custom: boolean }, table: string): string {
  const path = "/position/" + encodeURIComponent(position).replace(/%(?:2F|3D|2C|40)/g, decodeURIComponent);
  return is_custom && table ? `${path}?table=${encodeURIComponent(table)}` : path;
}
