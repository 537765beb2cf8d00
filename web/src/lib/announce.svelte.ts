/** The live region: text that screen readers read aloud as soon as it changes. */

import { untrack } from "svelte";

export const announced = $state({ text: "" });

/** Announces a text. A repetition gets a space at its end, since screen readers read only what changes. */
export function announce(text: string): void {
  announced.text = text === untrack(() => announced.text) ? `${text}\u00a0` : text;
}
