/** What a file to import contains. */

export type Importable = { readonly record: string } | { readonly everything: object };

/** Whether a text may be the record of a game; what is wrong in it is for others to say. */
export function isRecord(text: string): boolean {
  return text.trimStart().startsWith("fivedice record");
}

/** The record or the export in the text of a file; undefined if it is neither. */
export function importable(text: string): Importable | undefined {
  if (isRecord(text)) return { record: text.trimStart() };
  try {
    const found = JSON.parse(text) as unknown;
    return typeof found === "object" && found !== null && "fivedice" in found ? { everything: found } : undefined;
  } catch {
    return undefined; // no JSON
  }
}
