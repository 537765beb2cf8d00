import { beforeEach, expect, test, vi } from "vitest";
import { firstSetup, keepSetup, lastSetup } from "./lastSetup";

const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});

test("the last choices are found again, and there are none before the first table", () => {
  expect(lastSetup()).toBeUndefined();
  const setup = { ...firstSetup("de"), ref: "kniffel", seats: [{ who: "you", name: "" }, { who: "here", name: "Ben" }], help: "always" as const };
  keepSetup(setup);
  expect(lastSetup()).toEqual(setup);
});

test("a first game has a tutor and the rules that people know", () => {
  expect(firstSetup("sv")).toMatchObject({ ref: "yatzy", rulesName: "Yatzy", help: "tutor", helpAmong: "none" });
});

test("choices that this page cannot have written are ignored", () => {
  for (const text of ["{", "null", "[]", '{"ref": 3}', JSON.stringify({ ...firstSetup("de"), seats: [{}] }), JSON.stringify({ ...firstSetup("de"), seats: [] })]) {
    stored.set("fivedice.setup", text);
    expect(lastSetup()).toBeUndefined();
  }
});
