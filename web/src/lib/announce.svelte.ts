/** The live region: text that screen readers read aloud as soon as it changes. */

import { untrack } from "svelte";

export const announced = $state({ text: "" });

/** Says the same twice, too: with a space after it, since nothing else would change. An effect that says something does not depend on it. */
export function announce(text: string): void {
  announced.text = text === untrack(() => announced.text) ? `${text}\u00a0` : text;
}
