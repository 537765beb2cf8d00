import { expect, test } from "vitest";
import { de } from "../messages/de";
import { en } from "../messages/en";
import { sv } from "../messages/sv";
import list from "./RulesList.svelte?raw";

test.each(Object.entries({ en, de, sv }))("the list of rules says in %s who owns the names of games", (_, catalogue) => {
  expect(list).toContain('{t("trademarks")}');
  for (const name of ["Yahtzee", "Hasbro", "Kniffel", "Schmidt Spiele", "fivedice"]) expect(catalogue.trademarks).toContain(name);
});

test("the list of rules links the licences, which the build writes", () => {
  expect(list).toContain('licences.txt`}');
});
