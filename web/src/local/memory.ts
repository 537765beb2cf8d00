/** Python's memory after its first start with the files of a version, kept in this browser: later starts are from it. */

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
