/** `levelWords`: between which computer levels a result lies. */

import type { ResultView } from "../lib/api";
import { kindTitle, t } from "../lib/i18n.svelte";

/**
 * Empty without levels, which are in order. In few positions a weaker level may have lost less than a stronger one: then
 * only their number is said.
 */
export function levelWords({ levels, lost }: Pick<ResultView, "levels" | "lost">): string {
  const sorted = [...levels].sort((a, b) => b.lost - a.lost);
  const better = sorted.find((level) => level.lost < lost);
  const equal = sorted.findLast((level) => level.lost >= lost);
  if (!better) return equal ? t("asLevel", { level: kindTitle(equal.level) }) : "";
  if (equal && levels.indexOf(equal) > levels.indexOf(better)) return t("betterThanLevels", { n: levels.filter((level) => level.lost > lost).length, all: levels.length });
  return equal
    ? t("betweenLevels", { below: kindTitle(equal.level), above: kindTitle(better.level) })
    : t("belowLevel", { level: kindTitle(better.level) });
}
