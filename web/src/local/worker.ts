/**
 * The worker in which the page plays without a server: Python, with `fivedice.local`. What a reply changes is stored
 * before anybody is told of it.
 */

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
  keep(file: unknown): void;
  restore(events: string): void;
  forget(table: string): void;
  wait(): number | undefined;
  step(): string;
}

interface Pyodide {
  unpackArchive(archive: ArrayBuffer, format: string, options: { extractDir: string }): void;
  runPython(code: string): unknown;
  toPy(value: unknown): unknown;
}

interface Manifest {
  readonly files: readonly { readonly path: string }[];
  readonly solutions?: string;
  readonly rulesets?: readonly string[];
}

/** Beside the folder of this script. */
const FOLDER = new URL("../local/", location.href).href;
const PACKAGES = "/lib/python3.14/site-packages";

async function fetched(url: string): Promise<Response> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer;
}

async function start(): Promise<Browser> {
  const manifest = (await (await fetched(`${FOLDER}manifest.json`)).json()) as Manifest;
  const archives = manifest.files.map(({ path }) => path).filter((path) => path.endsWith(".whl") || path === "fivedice.zip");
  const [{ loadPyodide }, ...contents] = await Promise.all([
    import(/* @vite-ignore */ `${FOLDER}pyodide.mjs`) as Promise<{ loadPyodide(options: { indexURL: string }): Promise<Pyodide> }>,
    ...archives.map(async (path) => (await fetched(FOLDER + path)).arrayBuffer()),
  ]);
  const python = await loadPyodide({ indexURL: FOLDER });
  for (const content of contents) python.unpackArchive(content, "zip", { extractDir: PACKAGES });
  const browser = python.runPython("from fivedice.local.browser import Browser\nBrowser()") as Browser;
  for (const ruleset of manifest.rulesets ?? []) {
    const about = new URL((manifest.solutions ?? "").replace("{ref}", encodeURIComponent(ruleset)), FOLDER);
    const { path } = (await (await fetched(about.href)).json()) as { path: string };
    browser.keep(python.toPy(await (await fetched(new URL(path, about).href)).arrayBuffer()));
  }
  return browser;
}

const browser = start();
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

/** Stores what a reply changes; false if that failed: then its tables are read again when they are needed. */
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
    await restore(path);
  }
  tell({ id, status: 503, content: { error: "this browser cannot store the game", code: "unavailable" } });
}

/** Lets the computer player act whose step is due, or waits for it. */
async function act(): Promise<void> {
  clearTimeout(timer);
  const wait = (await browser).wait();
  if (wait !== undefined) timer = setTimeout(() => inTurn(step), wait * 1_000);
}

async function step(): Promise<void> {
  const reply = JSON.parse((await browser).step()) as Reply;
  if (await isStored(reply)) for (const message of reply.messages) tell(message);
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
