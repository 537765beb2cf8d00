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

/** Games of one request: the server reads so many in a few seconds, and they take a fraction of what a body may have. */
const GAMES_AT_ONCE = 250;

/** An export in parts, each for one request; the first has the key to seats and tries. What the server ignores is left out. */
export function partsOf(everything: object): object[] {
  const { records, key, stored: _, ...rest } = everything as Record<string, unknown>;
  if (!Array.isArray(records)) return [everything];
  const parts: object[] = [];
  for (let from = 0; from < Math.max(1, records.length); from += GAMES_AT_ONCE) {
    parts.push({ ...rest, records: records.slice(from, from + GAMES_AT_ONCE), key: from === 0 ? key : null });
  }
  return parts;
}
