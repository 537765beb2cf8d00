import { expect, test } from "vitest";
import { importable } from "./importable";

test("records and exports are told from rubbish", () => {
  expect(importable("\nfivedice record 1\nruleset: crag")).toEqual({ record: "fivedice record 1\nruleset: crag" });
  expect(importable('{"fivedice": "export 1", "records": [], "seats": []}')).toMatchObject({ everything: { records: [] } });
  for (const rubbish of ["", "hello", "{", "null", "[1]", '"fivedice"', '{"other": 1}', "\u0000PNG"]) expect(importable(rubbish)).toBeUndefined();
});
