import { expect, test } from "vitest";
import { importable, partsOf } from "./importable";

test("JSON is an export, and any other text a record", () => {
  expect(importable('{"fivedice": "export 1"}')).toEqual({ everything: { fivedice: "export 1" } });
  for (const text of ["fivedice record 1\nruleset: crag", "", "{", "3"]) expect(importable(`\n${text}`)).toEqual({ record: text });
});

test("a large export is sent in parts, of which the first has the key, and games are neither lost nor doubled", () => {
  const records = Array.from({ length: 600 }, (_, n) => ({ text: `game ${n}` }));
  const all = { fivedice: "export 1", records, key: "key", stored: { accounts: [] } };
  const parts = partsOf(all) as (typeof all)[];
  expect(parts.map((part) => [part.records.length, part.key])).toEqual([
    [250, "key"],
    [250, null],
    [100, null],
  ]);
  expect(parts.flatMap((part) => part.records)).toEqual(records);
  expect(partsOf({ ...all, records: [] })).toEqual([{ fivedice: "export 1", records: [], key: "key" }]);
  expect(partsOf({ mine: 1 })).toEqual([{ mine: 1 }]);
});
