/** Which files to play without the server are kept: those of the manifest, which is kept once nothing is missing. */

import { get, type SolutionFileView } from "../lib/api";
import { KEPT_CACHES } from "../lib/storage";
import { descriptionOf } from "./memory";

export const MANIFEST = new URL(`${import.meta.env.BASE_URL}local/manifest.json`, location.href).href;

export interface Manifest {
  /** Another one whenever a file is another. */
  readonly version: string;
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly compressed: number; readonly integrity: string }[];
  /** The address of the description of a solution, with `{ref}` for the ruleset. */
  readonly solutions: string;
}

/** What was chosen to be kept: rulesets, and those of them whose advice is explained, too. */
export interface Choice {
  readonly rulesets: readonly string[];
  /** Undefined if an earlier version kept the files. */
  readonly explained?: readonly string[];
}

/** The manifest as it is kept, with what was chosen. */
export interface Kept extends Manifest, Choice {}

/** Whether everything is kept that playing without the server needs. */
export async function isKept(): Promise<boolean> {
  return (await kept()) !== undefined;
}

/** The digests of the rules whose solutions are kept. */
export async function keptDigests(): Promise<readonly string[]> {
  const found = await kept();
  if (!found) return [];
  return Promise.all(found.rulesets.map(async (ref) => (await get<SolutionFileView>(aboutSolution(found, ref))).digest));
}

export async function names(): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(KEPT_CACHES));
}

/** The version of which nothing is missing, with its rulesets. */
export async function kept(): Promise<Kept | undefined> {
  for (const name of "caches" in globalThis ? await names() : []) {
    const found = await (await caches.open(name)).match(MANIFEST);
    if (found) return (await found.json()) as Kept;
  }
  return undefined;
}

/** The address of the description of a ruleset's solution, or of what explains its advice. */
export function aboutSolution({ solutions }: Manifest, ref: string, isExplained = false): string {
  return descriptionOf(solutions, MANIFEST, ref, isExplained);
}
