/** What a file to import contains. */

export type Importable = { readonly record: string } | { readonly everything: object };

/** The export in the text of a file, if it is JSON, else the text as a record; what is wrong in it the server says. */
export function importable(text: string): Importable {
  try {
    const found = JSON.parse(text) as unknown;
    if (typeof found === "object" && found !== null) return { everything: found };
  } catch {
    // no JSON
  }
  return { record: text.trimStart() };
}
