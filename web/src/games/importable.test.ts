import { expect, test } from "vitest";
import { importable } from "./importable";

test("JSON is an export, and any other text a record", () => {
  expect(importable('{"fivedice": "export 1"}')).toEqual({ everything: { fivedice: "export 1" } });
  for (const text of ["fivedice record 1\nruleset: crag", "", "{", "3"]) expect(importable(`\n${text}`)).toEqual({ record: text });
});
