/**
 * The files with which this browser plays without the server: Python, the program, the parts of the page that use it,
 * and solutions of rulesets. The service worker answers from them (`public/sw.js`).
 */

import { ApiError, get, type SolutionFileView } from "../lib/api";
import { noteOffline } from "../lib/offline.svelte";
import { KEPT_CACHES } from "../lib/storage";
import { aboutSolution, kept, MANIFEST, names, type Choice, type Manifest } from "./manifest";
import { forgetMemory, MEMORY_CACHE, savedMemory } from "./memory";
import { forgetReplies } from "./store";
import { prepare } from "./transport";

/** The service worker passes such requests to the server, which says whether the browser has the newest answer. */
const FROM_SERVER: RequestInit = { cache: "no-cache" };

/** A file to keep, with its size, that over the wire, and its SHA-256 as in the attribute `integrity`. */
interface Wanted {
  readonly url: string;
  readonly bytes: number;
  readonly compressed: number;
  readonly integrity: string;
}

interface Plan {
  readonly version: string;
  readonly files: readonly Wanted[];
  /** What is kept as JSON once all files are: the manifest last, which says that nothing is missing. */
  readonly texts: readonly (readonly [url: string, value: unknown])[];
}

/** Waits for its turn, also in other tabs: each removes what it does not want, and the manifest says that all is there. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks.request("fivedice-kept", work) as Promise<T>;
}

/** The bytes that everything kept takes, once nothing is being kept or removed. */
export function keptBytes(): Promise<number> {
  return inTurn(async () => {
    let sum = 0;
    for (const name of [...(await names()), MEMORY_CACHE]) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) sum += (await (await cache.match(request))?.blob())?.size ?? 0;
    }
    return sum;
  });
}

/** The bytes over the wire that keeping this takes beside what is kept. It waits until the server has the solutions. */
export async function bytesToKeep(choice: Choice): Promise<number> {
  const { version, files } = await plan(choice);
  return sum(await missing(version, files));
}

/** The bytes over the wire of what explains the advice on a ruleset. */
export async function bytesToExplain(ref: string): Promise<number> {
  return (await get<SolutionFileView>(aboutSolution(await get<Manifest>(MANIFEST), ref, true), FROM_SERVER)).bytes;
}

/**
 * Keeps the files, and of the chosen rulesets the solutions and what explains them. What is there already, also from an
 * interrupted try, is not fetched again. Versions that were kept before, and what is not chosen any more, are removed at
 * the end. `onProgress` is called with bytes over the wire. Then Python starts once, which saves its memory.
 */
export function keepFiles(choice: Choice, onProgress: (done: number, total: number) => void): Promise<void> {
  return inTurn(() => keep(choice, onProgress));
}

async function keep(choice: Choice, onProgress: (done: number, total: number) => void): Promise<void> {
  const { version, files, texts } = await plan(choice);
  const wanted = await missing(version, files);
  const cache = await caches.open(KEPT_CACHES + version);
  const total = sum(wanted);
  let before = 0;
  for (const file of wanted) {
    onProgress(before, total);
    await cache.put(file.url, (await ofOtherVersion(file)) ?? (await whole(file, (share) => onProgress(before + share * file.compressed, total))));
    before += file.compressed;
  }
  for (const [url, value] of texts) await cache.put(url, Response.json(value));
  const urls = new Set([...files.map(({ url }) => url), ...texts.map(([url]) => url)]);
  for (const request of await cache.keys()) if (!urls.has(request.url)) await cache.delete(request);
  for (const name of await names()) if (name !== KEPT_CACHES + version) await caches.delete(name);
  noteOffline();
  onProgress(total, total);
  if (!(await savedMemory(version))) await prepare();
}

/** Keeps the files of this version if those of another are kept. */
export function updateFiles(): Promise<void> {
  return inTurn(async () => {
    const found = await kept();
    if (found && found.version !== (await get<Manifest>(MANIFEST, FROM_SERVER)).version) await keep(found, () => undefined);
  });
}

/** Removes everything that is kept. */
export function forgetFiles(): Promise<void> {
  return inTurn(async () => {
    for (const name of await names()) await caches.delete(name);
    await forgetMemory();
    await forgetReplies();
  });
}

function sum(files: readonly Wanted[]): number {
  return files.reduce((bytes, file) => bytes + file.compressed, 0);
}

/** Those of the files of a version that are not there. Nothing is kept of a version without a cache. */
async function missing(version: string, files: readonly Wanted[]): Promise<readonly Wanted[]> {
  const name = KEPT_CACHES + version;
  if (!(await caches.has(name))) return files;
  const cache = await caches.open(name);
  const found = await Promise.all(files.map(({ url }) => cache.match(url)));
  return files.filter((_, index) => !found[index]);
}

async function plan({ rulesets, explained = [] }: Choice): Promise<Plan> {
  const manifest = await get<Manifest>(MANIFEST, FROM_SERVER);
  const files: Wanted[] = manifest.files.map((file) => ({ ...file, url: new URL(file.path, MANIFEST).href }));
  const texts: (readonly [string, unknown])[] = [];
  for (const url of [...rulesets.map((ref) => aboutSolution(manifest, ref)), ...explained.map((ref) => aboutSolution(manifest, ref, true))]) {
    const found = await get<SolutionFileView>(url, FROM_SERVER);
    const integrity = `sha256-${btoa(String.fromCharCode(...(found.sha256.match(/../g) ?? []).map((byte) => parseInt(byte, 16))))}`;
    files.push({ url: new URL(found.path, url).href, bytes: found.bytes, compressed: found.bytes, integrity });
    texts.push([url, found]);
  }
  return { version: manifest.version, files, texts: [...texts, [MANIFEST, { ...manifest, rulesets, explained }]] };
}

/** A file that another version has, too. */
async function ofOtherVersion(file: Wanted): Promise<Response | undefined> {
  for (const name of await names()) {
    const found = await (await caches.open(name)).match(file.url);
    if (found && (await integrityOf(await found.clone().arrayBuffer())) === file.integrity) return found;
  }
  return undefined;
}

/** A file of the server, whose digest is right; `onProgress` is called with the share that is there. */
async function whole(file: Wanted, onProgress: (share: number) => void): Promise<Response> {
  const bytes = new Uint8Array(file.bytes);
  let headers: Headers;
  let length = 0;
  try {
    const answer = await fetch(file.url, FROM_SERVER);
    if (!answer.ok || !answer.body) throw new ApiError(answer.status, `${file.url}: ${answer.status}`);
    headers = answer.headers;
    for (const reader = answer.body.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      if (length + value.length > file.bytes) throw new ApiError(502, `${file.url} is damaged.`);
      bytes.set(value, length);
      length += value.length;
      onProgress(length / file.bytes);
    }
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError(0, String(error));
  }
  if ((await integrityOf(bytes)) !== file.integrity) throw new ApiError(502, `${file.url} is damaged.`);
  const names = ["content-type", "content-security-policy"].filter((name) => headers.has(name));
  return new Response(bytes, { headers: names.map((name) => [name, headers.get(name) ?? ""] as [string, string]) });
}

async function integrityOf(bytes: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `sha256-${btoa(String.fromCharCode(...digest))}`;
}
