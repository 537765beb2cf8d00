/** Where the descriptions of solutions are; the worker loads this, too. */

/** The address of the description of a ruleset's solution, or of what explains its advice. */
export function descriptionOf(solutions: string, base: string, ref: string, isExplained: boolean): string {
  return new URL(solutions.replace("{ref}", encodeURIComponent(ref)), base).href + (isExplained ? "&table=breakdown" : "");
}
