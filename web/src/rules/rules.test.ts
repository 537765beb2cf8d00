import { expect, test } from "vitest";
import { words as de } from "../messages/de";
import { words as sv } from "../messages/sv";
import en from "../messages/en.json";
import dialog from "./HelpDialog.svelte?raw";
import list from "./RulesList.svelte?raw";

test.each(Object.entries({ en, de, sv }))("the help in %s opens with the rules in at most 90 words, and three pictures", (_, catalogue) => {
  const keys = ["helpRoll", "helpScore", "helpBonus", "helpEnd"] as const;
  const places = keys.map((key) => dialog.indexOf(`t("${key}"`));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places[0]).toBeGreaterThan(0);
  expect(dialog.match(/<HelpPicture /g)).toHaveLength(3);
  const words = keys.flatMap((key) => catalogue[key].split(/\s+/));
  expect(words.length).toBeGreaterThan(30);
  expect(words.length).toBeLessThanOrEqual(90);
  expect(dialog.indexOf("helpBonus")).toBeLessThan(dialog.indexOf('t("keys")'));
});

test.each(Object.entries({ en, de, sv }))("the list of rules says in %s who owns the names of games", (_, catalogue) => {
  expect(list).toContain('{t("trademarks")}');
  for (const name of ["Yahtzee", "Hasbro", "Kniffel", "Schmidt Spiele", "fivedice"]) expect(catalogue.trademarks).toContain(name);
});

test("the list of rules links the licences, which the build writes", () => {
  expect(list).toContain('licences.txt`}');
});
