/** The live region: text that screen readers read aloud as soon as it changes. */

export const announced = $state({ text: "" });

export function announce(text: string): void {
  announced.text = text;
}
