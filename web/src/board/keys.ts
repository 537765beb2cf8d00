/** The table's keys: 1 to 9 keep dice, r rolls, u undoes, arrows go to the boxes, h hurries, ? helps. */

interface Deeds {
  toggle(place: number): void;
  roll(): void;
  undo(): void;
  hurry(): void;
  help(): void;
}

export function keyDown(event: KeyboardEvent, deeds: Deeds): void {
  const target = event.target;
  if (event.defaultPrevented || event.altKey || event.metaKey) return;
  if (target instanceof HTMLElement && target.closest("input, textarea, select, dialog")) return;
  if (event.ctrlKey) {
    if (event.key === "z") done(event, deeds.undo);
    return;
  }
  if (/^[1-9]$/.test(event.key)) done(event, () => deeds.toggle(Number(event.key) - 1));
  else if (event.key.startsWith("Arrow")) toBoxes(event);
  else if (event.key === "r") done(event, deeds.roll);
  else if (event.key === "u") done(event, deeds.undo);
  else if (event.key === "h") done(event, deeds.hurry);
  else if (event.key === "?") done(event, deeds.help);
}

function done(event: KeyboardEvent, deed: () => void): void {
  event.preventDefault();
  if (!event.repeat) deed();
}

/** From anywhere on the page, an arrow enters the card at its first or last open box. */
function toBoxes(event: KeyboardEvent): void {
  const boxes = document.querySelectorAll<HTMLElement>("button.open");
  const box = event.key === "ArrowUp" || event.key === "ArrowLeft" ? boxes[boxes.length - 1] : boxes[0];
  if (!box) return;
  event.preventDefault();
  box.focus();
}
