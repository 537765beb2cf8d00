import { expect, test, vi } from "vitest";
import { words as de } from "../messages/de";
import { words as sv } from "../messages/sv";
import en from "../messages/en.json";
import type { ReviewView } from "./api";
import { boxName, cardLanguage, language, loadWords, percent, t } from "./i18n.svelte";
import { change } from "./settings.svelte";

test("sentences and names of boxes stay English until the words of another language are loaded", async () => {
  vi.stubGlobal("navigator", { languages: ["de-CH", "da"] });
  change({ language: "" });
  expect([language(), cardLanguage(), t("roll"), boxName("house", "House", { da: "Hus" })]).toEqual(["en", "en", en.roll, "House"]);
  expect(await loadWords()).toBe(true);
  expect([language(), cardLanguage(), t("roll")]).toEqual(["de", "de", de.roll]);
});

test("a box has its usual name in the user's language, or else the name in its ruleset", async () => {
  await loadWords("sv");
  vi.stubGlobal("navigator", { languages: [] });
  change({ language: "sv" });
  expect(["Full House", "Full House ×3", "Full House (2)", "Grandma's House"].map((name) => boxName("full_house", name))).toEqual(["Kåk", "Kåk", "Kåk", "Grandma's House"]);
  expect(boxName("three_of_a_kind", "Dreierpasch")).toBe("Tretal");
  expect(boxName("snake", "Snake", { sv: "Orm" })).toBe("Orm");
  change({ language: "en" });
  expect(boxName("three_of_a_kind", "Dreierpasch")).toBe("Dreierpasch");
});

test("a language of the card only names boxes, beside English sentences", () => {
  const names = { da: "Fuldt hus", nb: "Hus" };
  change({ language: "da" });
  expect([language(), cardLanguage(), boxName("house", "House", names), boxName("chance", "Chance")]).toEqual(["en", "da", "Fuldt hus", "Chance"]);
  expect(t("roll")).toBe(en.roll);
  change({ language: "" });
  for (const [languages, found] of [
    [["nn-NO", "en"], ["en", "nb", "Hus"]],
    [["en-GB", "da"], ["en", "en", "House"]],
    [["fr", "sv", "da"], ["sv", "sv", "Kåk"]],
    [["it"], ["en", "en", "House"]],
  ] as const) {
    vi.stubGlobal("navigator", { languages });
    expect([language(), cardLanguage(), boxName("house", "House", names)]).toEqual(found);
  }
  vi.stubGlobal("navigator", { languages: [] });
});

test("a percentage has no decimal if it is a whole one, and a small one a digit that says something", () => {
  expect([0.07, 0.29, 0.05, 1, 0.125, 1 / 6, 0.0012].map(percent)).toEqual(["7%", "29%", "5%", "100%", "12.5%", "16.7%", "0.1%"]);
});

test("every message is translated", () => {
  const same = new Set(["appName", "computer", "name", "announceRolledOff", "start", "bonus", "bonusAt", "joker", "lastScore", "tryStorm", "level_expert", "clubs", "accountPasskeys", "accountPasskey"]);
  for (const [key, message] of Object.entries(en)) {
    if (same.has(key) || typeof message !== "string") continue;
    expect([key, (de as Record<string, unknown>)[key]]).not.toEqual([key, message]);
    expect([key, (sv as Record<string, unknown>)[key]]).not.toEqual([key, message]);
  }
});

/** Their messages are used by the names that the server gives. */
const ARTEFACTS: readonly ReviewView["finding"][number][] = ["breakdown", "perfect_scores", "moments"];

test("every message is used", () => {
  const sources = import.meta.glob<string>(["../**/*.svelte", "../**/*.ts", "!../messages/**", "!./schema.d.ts"], {
    query: "?raw",
    import: "default",
    eager: true,
  });
  const code = Object.values(sources).join("\n");
  const artefacts = new Set<string>(ARTEFACTS);
  const made = ["closed_${closed_by}", "format_${one}", "formatText_${format}", "tieBreak_${one}", "kind_${kind}", "help_${kind}", "say_${name}", "level_${seat.level}"];
  for (const key of made) expect(code).toContain(`t(\`${key}\``);
  const isMade = (key: string) => artefacts.has(key) || made.some((one) => key.startsWith(one.slice(0, one.indexOf("$"))));
  expect(Object.keys(en).filter((key) => !code.includes(`"${key}"`) && !isMade(key))).toEqual([]);
});
