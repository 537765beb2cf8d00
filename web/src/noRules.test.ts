/** The page parses no notation and knows no rule: the server says both. Only the verifier reads records, on purpose. */

import { expect, test } from "vitest";
import { BOX_NAMES } from "./messages/boxes";

const sources = import.meta.glob<string>(["./**/*.{ts,js,svelte}", "!./**/*.test.ts", "!./lib/verify.ts", "!./lib/schema.d.ts", "!./messages/**"], {
  query: "?raw",
  import: "default",
  eager: true,
});

/** What would read or write notation: its verbs, its separators, and the first words of its lines. */
const NOTATION = [
  /["'`](?:keep|score|scratch|announce) /,
  /\.split\((?:["'`][ ,=/+]["'`])\)/,
  /\.(?:startsWith|endsWith|indexOf)\(["'`](?:keep|score|scratch|announce|seat|\+|@|r\d)/,
  /["'`]123456789/,
  /\}\[\$\{|\$\{\w+\}=\$\{/,
  /fivedice record/,
  /Number\([^)]*\.slice\(/,
  /\bfunction (?:parse|format)(?:Line|Card|Action|Position)\b/,
  /["'`\\]\.toml/,
  /(?:split|indexOf|includes|startsWith|endsWith|join|replace\w*)\(["'`][[\]]/,
  /\/[^/]*\\[[\]][^/]*\/[a-z]*\.(?:exec|test)|(?:match\w*|replace\w*|split|search)\(\/[^/]*\\[[\]]/,
];

/** Lines that read or write a position or the reference of a ruleset. */
const READS = [
  'if (/^\\w+\\.toml\\b/.test(position)) return table;',
  'return table && /\\.toml(\\[|$)/.test(ref) ? { table } : { ref };',
  'const isCustom = ref.endsWith(".toml");',
  'const [name, options] = ref.split("[");',
  'const name = ref.slice(0, ref.indexOf("["));',
  "const hasOptions = ref.includes('[');",
  'const options = /\\[(.*)\\]$/.exec(ref)?.[1];',
  'const name = ref.replace(/\\[.*/, "");',
  'const [rules, card, dice] = line.split(" ");',
  'const ref = `${name}[${options}]`;',
];

/** Of these, "yahtzee" is the id of a ruleset, too. */
const IDS = Object.keys(BOX_NAMES).filter((id) => id !== "yahtzee");

function found(forbidden: readonly RegExp[]): string[] {
  return Object.entries(sources).flatMap(([file, text]) =>
    text.split("\n").flatMap((line, index) => (forbidden.some((one) => one.test(line)) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  );
}

test("lines that read or write notation are noticed", () => {
  expect(READS.filter((line) => !NOTATION.some((one) => one.test(line)))).toEqual([]);
});

test("no source reads or writes notation", () => {
  expect(Object.keys(sources).length).toBeGreaterThan(100);
  expect(found(NOTATION)).toEqual([]);
});

test("no source names a box", () => {
  expect(IDS.length).toBeGreaterThan(10);
  expect(found([new RegExp(`["'\`](?:${IDS.join("|")})["'\`]`)])).toEqual([]);
});
