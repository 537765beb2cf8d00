/**
 * A second tap does not answer the next question: a control that appears where the user has tapped, or says something
 * else, ignores taps there for a moment. A key that is held down presses a control once.
 */

/** Milliseconds within which a tap was meant for what was there before. */
const PATIENCE = 400;
/** How far apart two taps of one finger may be, in pixels. */
const REACH = 24;
const CONTROLS = "a, button, input, select, summary, label, dialog, [tabindex='0']";

let last: { readonly x: number; readonly y: number } | undefined;
let seen = "";
let control: Element | null = null;
let since = -Infinity;
let isLooking = false;

export function ignoreSecondTaps(root: Node): void {
  addEventListener("click", onClick, true);
  addEventListener("keydown", onKeyDown, true);
  const observer = new MutationObserver(() => {
    if (!last || isLooking) return;
    isLooking = true;
    requestAnimationFrame(() => setTimeout(look)); // after the layout, which it would repeat
  });
  observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
}

/** Notes since when what is under the last tap is there. */
function look(): void {
  if (!isLooking) return;
  isLooking = false;
  const [found, text] = last ? at(last.x, last.y) : [null, ""];
  if (found !== control || text !== seen) since = performance.now();
  [control, seen] = [found, text];
}

/** The control at a point, and what it says. */
function at(x: number, y: number): [Element | null, string] {
  const found = document.elementFromPoint(x, y)?.closest(CONTROLS) ?? null;
  return [found, found?.matches("a, button") ? (found.textContent ?? "") : ""];
}

function onClick(event: MouseEvent): void {
  if (!event.detail) return; // by a key or a script
  look();
  const { clientX: x, clientY: y } = event;
  const isSame = last && Math.hypot(x - last.x, y - last.y) < REACH && at(x, y)[0] === control;
  if (isSame && performance.now() - since < PATIENCE) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  last = { x, y };
  [control, seen] = at(x, y);
  since = -Infinity;
}

function onKeyDown(event: KeyboardEvent): void {
  last = undefined;
  if (event.repeat && ["Enter", " "].includes(event.key) && event.target instanceof Element && event.target.matches("a, button")) event.preventDefault();
}
