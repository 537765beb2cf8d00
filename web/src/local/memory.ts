/** What the worker and the page both know of kept files: where solutions are described, and Python's saved memory. */

/** The address of the description of a ruleset's solution, or of what explains its advice. */
export function descriptionOf(solutions: string, base: string, ref: string, isExplained: boolean): string {
  return new URL(solutions.replace("{ref}", encodeURIComponent(ref)), base).href + (isExplained ? "&table=breakdown" : "");
}

/** The memory after the first start with the files of a version: later starts are from it. */
export const MEMORY_CACHE = "fivedice-memory";

function address(version: string): string {
  return new URL(`${import.meta.env.BASE_URL}memory-${version}`, location.href).href;
}

export async function savedMemory(version: string): Promise<Uint8Array | undefined> {
  const found = "caches" in globalThis ? await (await caches.open(MEMORY_CACHE)).match(address(version)) : undefined;
  return found && new Uint8Array(await found.arrayBuffer());
}

/** Keeps the memory in place of that of any other version. */
export async function saveMemory(version: string, memory: Uint8Array): Promise<void> {
  if (!("caches" in globalThis)) return;
  await forgetMemory();
  await (await caches.open(MEMORY_CACHE)).put(address(version), new Response(memory as Uint8Array<ArrayBuffer>));
}

export async function forgetMemory(): Promise<void> {
  await caches.delete(MEMORY_CACHE);
}
