/** `levelWords`: between which computer levels a result lies. */

import type { TryResultView } from "../lib/api";
import { kindTitle, t } from "../lib/i18n.svelte";

/** Empty without levels. The levels are ordered by what they lost in the same positions. */
export function levelWords({ levels, lost }: Pick<TryResultView, "levels" | "lost">): string {
  const sorted = [...levels].sort((a, b) => b.lost - a.lost);
  const better = sorted.find((level) => level.lost < lost);
  const equal = sorted.findLast((level) => level.lost >= lost);
  if (!better) return equal ? t("asLevel", { level: kindTitle(equal.level) }) : "";
  return equal
    ? t("betweenLevels", { below: kindTitle(equal.level), above: kindTitle(better.level) })
    : t("belowLevel", { level: kindTitle(better.level) });
}
