/** The import rules: a folder imports only from those below it, and imports form no circle. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** From the top down, as in CONTRIBUTING.md, below this folder. Folders on one floor do not import each other. */
const FLOORS = [["."], ...drawn()];

const sources = import.meta.glob<string>(["./**/*.{ts,js,svelte}", "!./rooms.test.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const files = Object.keys(sources);

/** The files that a file imports, at once or later, by their paths from here; catalogues are outside the page. */
function imports(file: string): string[] {
  const specifiers = [...(sources[file] ?? "").matchAll(/(?:from |import |import\()"(\.[^"]+(?<!\.po))"/g)].map((found) => found[1] ?? "");
  return specifiers.map((specifier) => {
    const path = `.${new URL(specifier, `http://src${file.slice(1)}`).pathname}`;
    return [path, `${path}.ts`, `${path}.js`].find((one) => one in sources) ?? path;
  });
}

function drawn(): string[][] {
  const map = readFileSync(new URL("../../CONTRIBUTING.md", import.meta.url), "utf8");
  const floors = /^\| `web\/src` \| (.*) \|$/m.exec(map)?.[1]?.split(" → ") ?? [];
  return floors.map((names) => [...names.matchAll(/`(\w+)`/g)].map((found) => found[1] ?? ""));
}

function folder(file: string): string {
  return /^\.\/([^/]+)\//.exec(file)?.[1] ?? ".";
}

function floor(file: string): number {
  return FLOORS.findIndex((folders) => folders.includes(folder(file)));
}

const arrows = files.flatMap((file) => imports(file).map((imported) => [file, imported] as const));

test("every folder has a floor, and imports only from lower floors", () => {
  expect(files.filter((file) => floor(file) < 0)).toEqual([]);
  expect(arrows.length).toBeGreaterThan(100);
  const wrong = arrows.filter(([file, imported]) => folder(file) !== folder(imported) && floor(imported) <= floor(file));
  expect(wrong).toEqual([]);
});

test("imports form no circle", () => {
  let left = files;
  for (let before = -1; before !== left.length; ) {
    before = left.length;
    // Files that import nothing that is left are in no circle.
    left = left.filter((file) => arrows.some(([importer, imported]) => importer === file && left.includes(imported)));
  }
  expect(left).toEqual([]);
});
