/** `keyOf`: what a key means on every keyboard. */

/**
 * The letter or digit that a key has, in lower case. Where the keyboard writes neither, as a Greek one or the row of
 * digits of a French one, it is that of the key in the same place. Other keys have their names.
 */
export function keyOf({ key, code, shiftKey }: Pick<KeyboardEvent, "key" | "code" | "shiftKey">): string {
  const isNamed = key.length > 1 && key !== "Dead";
  if (isNamed || shiftKey || key === " " || key === "?" || /^[a-z0-9]$/i.test(key)) return isNamed ? key : key.toLowerCase();
  return /^(?:Key|Digit)(.)$/.exec(code)?.[1]?.toLowerCase() ?? key;
}
