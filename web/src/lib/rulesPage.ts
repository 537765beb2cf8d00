/** The rules in sentences, in the user's language: fetched once for each ruleset and language. */

import { get, type RulesPageView, type RulesView } from "./api";
import { t, type CardLanguage } from "./i18n.svelte";

/** Rules by their reference, or those of a table. */
export type RulesSource = { readonly ref: string } | { readonly table: string };

const fetched = new Map<string, Promise<RulesPageView>>();

export function explainedRules(source: RulesSource, lang: CardLanguage): Promise<RulesPageView> {
  const path = `/api/rulesets/explained?${new URLSearchParams({ ...source, lang })}`;
  const known = fetched.get(path);
  if (known) return known;
  const answer = get<RulesPageView>(path);
  fetched.set(path, answer);
  answer.catch(() => fetched.delete(path));
  return answer;
}

/** Where rules are found: custom ones only at the table that has them, which the address of the page names. */
export function sourceOf({ ref, is_custom }: Pick<RulesView, "ref" | "is_custom">, path: string, search: string): RulesSource {
  const table = /^\/t\/([^/]+)/.exec(path)?.[1] ?? new URLSearchParams(search).get("table");
  return table && is_custom ? { table } : { ref };
}

/** What a box pays, with its unit if it is a number of points. */
export function paysText(pays: string): string {
  return /^\d+$/.test(pays) ? t("pointsCount", { n: Number(pays) }) : pays;
}

/** The path of the page with these rules. */
export function rulesPath(source: RulesSource): string {
  return "table" in source ? `/rules?table=${encodeURIComponent(source.table)}` : `/rules/${encodeURIComponent(source.ref)}`;
}
