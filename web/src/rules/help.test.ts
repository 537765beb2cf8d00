import { expect, test } from "vitest";
import { de } from "../messages/de";
import { en } from "../messages/en";
import { sv } from "../messages/sv";
import dialog from "./HelpDialog.svelte?raw";

test.each(Object.entries({ en, de, sv }))("the help in %s opens with the rules in at most 90 words, and three pictures", (_, catalogue) => {
  const keys = [...dialog.matchAll(/<p>\{t\("(help\w+)"\)\}<\/p>/g)].map(([, key]) => key as "helpRoll");
  expect(keys).toEqual(["helpRoll", "helpScore", "helpBonus"]);
  expect(dialog.match(/<HelpPicture /g)).toHaveLength(3);
  const words = keys.flatMap((key) => catalogue[key].split(/\s+/));
  expect(words.length).toBeGreaterThan(30);
  expect(words.length).toBeLessThanOrEqual(90);
  expect(dialog.indexOf("helpBonus")).toBeLessThan(dialog.indexOf('t("keys")'));
});
