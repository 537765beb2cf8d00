import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Asked, Told } from "./worker";

const TABLE = "local-1";
const NOTHING = { status: 200, content: null, events: [], messages: [] };

/** The versions of the table that are stored, and the one that Python has; 0 for none. */
let stored: number[] = [];
let version = 0;
/** Whether a computer player is to move. */
let isDue = false;

/** A table of which each command and each step makes one event. */
const python = {
  restore: (events: string) => (version = (JSON.parse(events) as unknown[]).length),
  forget: () => (version = 0),
  wait: () => (isDue && version ? 0 : undefined),
  /** Another page of the browser is faster. */
  step: () => {
    isDue = false;
    stored.push(2);
    return changed();
  },
  request(method: string, _: string, body: string): string {
    if (method === "GET") return JSON.stringify({ ...NOTHING, content: { type: "update", view: { version } } });
    const seen = (JSON.parse(body) as { version: number }).version;
    return seen < version ? JSON.stringify({ ...NOTHING, content: { type: "refused", reason: "stale", version } }) : changed();
  },
};

function changed(): string {
  version += 1;
  return JSON.stringify({ ...NOTHING, content: { type: "accepted", version }, events: [{ table: TABLE, version }] });
}

/** The worker, and what it tells the page. */
const told: Told[] = [];
const worker = { postMessage: (message: Told) => told.push(message), onmessage: (_: { data: Asked }): void => undefined };

beforeEach(async () => {
  const folder = mkdtempSync(`${tmpdir()}/worker-`);
  mkdirSync(`${folder}/local`);
  writeFileSync(`${folder}/local/pyodide.mjs`, "export const loadPyodide = undefined;");
  vi.stubGlobal("location", { href: `${pathToFileURL(folder)}/assets/worker.js` });
  vi.stubGlobal("self", worker);
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ version: "1", files: [] })));
  vi.doMock("./python", () => ({ startPython: () => Promise.resolve({ python: { runPython: () => python } }) }));
  vi.doMock("./memory", () => ({ savedMemory: () => Promise.resolve(undefined) }));
  vi.doMock("./store", () => ({
    eventsOf: () => Promise.resolve(stored.map((one) => ({ table: TABLE, version: one }))),
    write: ({ events: [event] }: { events: { version: number }[] }) =>
      stored.includes(event?.version ?? 0) ? Promise.reject(new Error("ConstraintError")) : Promise.resolve(stored.push(event?.version ?? 0)),
  }));
  [stored, version, isDue] = [[1], 0, false];
  told.length = 0;
  vi.resetModules();
  await import("./worker");
});

afterEach(() => {
  for (const path of ["./python", "./memory", "./store"]) vi.doUnmock(path);
  vi.resetModules();
  vi.unstubAllGlobals();
});

async function ask(method: string, body = ""): Promise<unknown> {
  const id = told.length + 100;
  worker.onmessage({ data: { id, method, path: `/api/tables/${TABLE}/commands`, body } });
  return vi.waitUntil(() => told.find((one) => "id" in one && one.id === id));
}

const NEWEST = { table: TABLE, message: { type: "update", view: { version: 2 } } };

test("a page whose command comes after one of another page of the browser is told how the table is now", async () => {
  await ask("GET");
  stored.push(2); // by the other page
  expect(await ask("POST", JSON.stringify({ version: 1 }))).toMatchObject({ content: { reason: "stale", version: 2 } });
  expect(told).toContainEqual(NEWEST);
});

test("a page whose computer player moves after that of another page is told how the table is now", async () => {
  isDue = true;
  await ask("GET");
  await vi.waitUntil(() => told.length > 1);
  expect(told[1]).toEqual(NEWEST);
});
