/**
 * The worker in which the page plays without a server: Python, with `fivedice.local`. What a reply changes is stored
 * before anybody is told of it.
 */

import { descriptionOf, savedMemory, saveMemory } from "./memory";
import { startPython, type Load, type Python } from "./python";
import { eventsOf, write, type Writes } from "./store";

/** A request of the page. */
export interface Asked {
  readonly id: number;
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** A reply of `fivedice.local.service`. */
interface Reply extends Writes {
  readonly status: number;
  readonly content: unknown;
  readonly messages: readonly { readonly table: string; readonly message: unknown }[];
}

/** What the page is told: the reply to a request, or a message about a table. */
export type Told =
  | { readonly id: number; readonly status: number; readonly content: unknown }
  | { readonly table: string; readonly message: unknown };

interface Browser {
  request(method: string, target: string, body: string): string;
  keep(digest: string, file: unknown): void;
  keep_parts(digest: string, file: unknown): void;
  restore(events: string): void;
  forget(table: string): void;
  wait(): number | undefined;
  step(): string;
}

interface Manifest {
  readonly version: string;
  readonly files: readonly { readonly path: string }[];
  readonly solutions?: string;
  readonly rulesets?: readonly string[];
  readonly explained?: readonly string[];
}

/** Beside the folder of this script. */
const FOLDER = new URL("../local/", location.href).href;

async function fetched(url: string): Promise<Response> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer;
}

async function bytes(path: string): Promise<ArrayBuffer> {
  return (await fetched(FOLDER + path)).arrayBuffer();
}

/** Python as its saved memory has it, or from the beginning; then its memory is saved. */
async function python({ version, files }: Manifest): Promise<Python> {
  const wheel = files.find(({ path }) => path.endsWith(".whl"))?.path ?? "";
  const [{ loadPyodide }, archives, memory] = await Promise.all([
    import(/* @vite-ignore */ `${FOLDER}pyodide.mjs`) as Promise<{ loadPyodide: Load }>,
    Promise.all([bytes("fivedice.zip"), bytes(wheel)]),
    savedMemory(version),
  ]);
  const start = (from?: Uint8Array) => startPython(loadPyodide, FOLDER, { program: archives[0], wheel: archives[1] }, from);
  if (memory) {
    try {
      return (await start(memory)).python;
    } catch (error) {
      console.warn("fivedice: Python does not start from its saved memory:", error);
    }
  }
  const { python, saved } = await start();
  if (saved) await saveMemory(version, saved).catch((error: unknown) => console.warn("fivedice: Python's memory is not saved:", error));
  return python;
}

/** The digest of the rules of a ruleset, and the file of its values, or of what explains its advice. */
async function solution(ruleset: string, { solutions = "" }: Manifest, isExplained: boolean): Promise<[string, ArrayBuffer]> {
  const about = descriptionOf(solutions, FOLDER, ruleset, isExplained);
  const { digest, path } = (await (await fetched(about)).json()) as { digest: string; path: string };
  return [digest, await (await fetched(new URL(path, about).href)).arrayBuffer()];
}

async function start(): Promise<Browser> {
  const manifest = (await (await fetched(`${FOLDER}manifest.json`)).json()) as Manifest;
  const { rulesets = [], explained = [] } = manifest;
  const [started, solutions, parts] = await Promise.all([
    python(manifest),
    Promise.all(rulesets.map((ruleset) => solution(ruleset, manifest, false))),
    Promise.all(explained.map((ruleset) => solution(ruleset, manifest, true))),
  ]);
  const browser = started.runPython("from fivedice.local.browser import Browser; Browser()") as Browser;
  for (const [digest, file] of solutions) browser.keep(digest, started.toPy(file));
  for (const [digest, file] of parts) browser.keep_parts(digest, started.toPy(file));
  return browser;
}

const browser = start();
// A rejection would stay here: an error ends this worker, and the page starts another one for its next request.
browser.catch((error: unknown) =>
  setTimeout(() => {
    throw error;
  }),
);
const restored = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;
/** Everything happens in turn: the end of the last task. */
let last: Promise<unknown> = Promise.resolve();

function inTurn(task: () => Promise<void>): void {
  last = last.then(task).catch((error: unknown) => console.error(error));
}

function tell(told: Told): void {
  self.postMessage(told);
}

/** Reads the table that a request is about from what is stored, unless it is in memory. */
async function restore(path: string): Promise<void> {
  const table = /local-\w+/.exec(path)?.[0];
  if (!table || restored.has(table)) return;
  const events = await eventsOf(table);
  if (!events.length) return;
  (await browser).restore(JSON.stringify(events));
  restored.add(table);
}

/** Stores what a reply changes; false if that failed: then its tables are read again, and the page told how they are. */
async function isStored(reply: Reply): Promise<boolean> {
  if (!reply.events.length) return true;
  try {
    await write(reply);
    for (const { table } of reply.events) restored.add(table);
    return true;
  } catch (error) {
    console.warn("fivedice: nothing was stored:", error);
    for (const { table } of reply.events) {
      (await browser).forget(table);
      restored.delete(table);
      await restore(table);
      if (!restored.has(table)) continue;
      const { content } = JSON.parse((await browser).request("GET", `/api/tables/${table}/events`, "")) as Reply;
      tell({ table, message: content });
    }
    return false;
  }
}

async function answer({ id, method, path, body }: Asked): Promise<void> {
  await restore(path);
  // A second try, if another page of this browser has changed the table.
  for (let tries = 0; tries < 2; tries += 1) {
    const reply = JSON.parse((await browser).request(method, path, body)) as Reply;
    if (await isStored(reply)) {
      tell({ id, status: reply.status, content: reply.content });
      for (const message of reply.messages) tell(message);
      await act();
      return;
    }
  }
  tell({ id, status: 503, content: { error: "this browser cannot store the game", code: "unavailable" } });
}

/** Lets the computer player act whose step is due, or waits for it, at least for so many seconds. */
async function act(pause = 0): Promise<void> {
  clearTimeout(timer);
  const wait = (await browser).wait();
  if (wait !== undefined) timer = setTimeout(() => inTurn(step), Math.max(pause, wait) * 1_000);
}

async function step(): Promise<void> {
  const reply = JSON.parse((await browser).step()) as Reply;
  if (!(await isStored(reply))) return act(1);
  for (const message of reply.messages) tell(message);
  await act();
}

self.onmessage = (event: MessageEvent<Asked>) => {
  const asked = event.data;
  inTurn(() =>
    answer(asked).catch((error: unknown) => {
      console.error(error);
      tell({ id: asked.id, status: 500, content: { error: String(error), code: "mistake" } });
    }),
  );
};
