/** The keys of a table: 1 to 9 keep dice, or with real dice enter faces that Backspace removes, r and Space roll, u undoes, arrows go to boxes, h hurries computers, ? opens help. */

import { keyOf } from "../lib/keyOf";

interface KeyHandlers {
  toggle(place: number): void;
  roll(): void;
  /** What Backspace does, if anything. */
  back?: (() => void) | undefined;
  undo(): void;
  hurry(): void;
  help(): void;
}

export function keyDown(event: KeyboardEvent, handlers: KeyHandlers): void {
  const { target } = event;
  const key = keyOf(event);
  if (event.defaultPrevented || event.altKey || event.metaKey) return;
  if (target instanceof HTMLElement && target.closest("input:not([type='checkbox']), textarea, select, dialog")) return;
  if (event.ctrlKey) {
    if (key === "z") run(event, handlers.undo);
    return;
  }
  if (/^[1-9]$/.test(key)) run(event, () => handlers.toggle(Number(key) - 1));
  else if (key.startsWith("Arrow")) toBoxes(event);
  else if (key === "r" || (key === " " && !isPressed(target))) run(event, handlers.roll);
  else if (key === "Backspace" && handlers.back) run(event, handlers.back);
  else if (key === "u") run(event, handlers.undo);
  else if (key === "h") run(event, handlers.hurry);
  else if (key === "?") run(event, handlers.help);
}

/** The control that has the focus because it was clicked. */
let clicked: Element | null = null;
window.addEventListener("pointerdown", (event) => (clicked = event.target instanceof Element ? event.target.closest("button") : null), true);
window.addEventListener("focusin", (event) => (clicked = event.target === clicked ? clicked : null));

/** Whether Space presses a control. After a click on a die it does not: it rolls. */
function isPressed(target: EventTarget | null): boolean {
  return target instanceof Element && target !== clicked && target.matches("button, a, summary, input, [tabindex='0']");
}

function run(event: KeyboardEvent, handler: () => void): void {
  event.preventDefault();
  if (!event.repeat) handler();
}

/** Focuses the first open box, or with up and left the last one. */
function toBoxes(event: KeyboardEvent): void {
  const boxes = document.querySelectorAll<HTMLElement>("button.open");
  const box = event.key === "ArrowUp" || event.key === "ArrowLeft" ? boxes[boxes.length - 1] : boxes[0];
  if (!box) return;
  event.preventDefault();
  box.focus();
}
