/** How long people may have for a game on the same dice. */

import { t } from "./i18n.svelte";

const DAY = 24;

/** The hours to choose from. The server knows every other number, too. */
export const SPANS = [1, DAY, 3 * DAY, 7 * DAY] as const;

/** A number of hours in words. */
export function span(hours: number): string {
  return hours < DAY ? t("hoursLong", { n: hours }) : t("daysLong", { n: hours / DAY });
}
