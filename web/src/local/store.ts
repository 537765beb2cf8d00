/** The games of tables in this browser, in IndexedDB: events, how lists show the games, and the records of finished ones. */

import type { GameView } from "../lib/api";

/** An event as `fivedice.local.local_table` stores it. */
export interface StoredEvent {
  readonly table: string;
  readonly version: number;
}

/** The record of a finished game, and whether a server has it. */
export interface StoredRecord {
  readonly table: string;
  readonly text: string;
  readonly isSent: boolean;
}

/** What a reply of the service has to be stored with. */
export interface Writes {
  readonly events: readonly StoredEvent[];
  readonly games: readonly GameView[];
  readonly records: Readonly<Record<string, string>>;
}

const NAME = "fivedice";
const VERSION = 1;

let opened: Promise<IDBDatabase> | undefined;

function database(): Promise<IDBDatabase> {
  return (opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("events", { keyPath: ["table", "version"] });
      request.result.createObjectStore("games", { keyPath: "table" });
      request.result.createObjectStore("records", { keyPath: "table" });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => {
      opened = undefined;
      reject(request.error ?? new Error("IndexedDB cannot be opened"));
    };
  }));
}

async function transaction(stores: string[], mode: IDBTransactionMode, work: (found: IDBTransaction) => void): Promise<void> {
  const found = (await database()).transaction(stores, mode, { durability: "strict" });
  work(found);
  await new Promise<void>((resolve, reject) => {
    found.oncomplete = () => resolve();
    found.onabort = () => reject(found.error ?? new Error("nothing was stored"));
  });
}

/** Stores everything or nothing. It fails if another page of this browser has stored an event of the same version. */
export async function write({ events, games, records }: Writes): Promise<void> {
  await transaction(["events", "games", "records"], "readwrite", (found) => {
    for (const event of events) found.objectStore("events").add(event);
    for (const game of games) found.objectStore("games").put(game);
    for (const [table, text] of Object.entries(records)) found.objectStore("records").put({ table, text, isSent: false });
  });
}

async function all<T>(store: string, range?: IDBKeyRange): Promise<T[]> {
  let request: IDBRequest<unknown[]> | undefined;
  await transaction([store], "readonly", (found) => (request = found.objectStore(store).getAll(range)));
  return (request?.result ?? []) as T[];
}

/** The events of a table, the oldest first. */
export function eventsOf(table: string): Promise<StoredEvent[]> {
  return all("events", IDBKeyRange.bound([table, 0], [table, Infinity]));
}

/** The games, most recent first. */
export async function games(): Promise<GameView[]> {
  return (await all<GameView>("games")).sort((a, b) => b.updated - a.updated);
}

/** Those that no server has. */
export async function unsentGames(): Promise<GameView[]> {
  const sent = new Set((await records()).filter((record) => record.isSent).map((record) => record.table));
  return (await games()).filter((game) => !sent.has(game.table ?? ""));
}

export function records(): Promise<StoredRecord[]> {
  return all("records");
}

/** Notes that a server has a record. */
export function markSent(record: StoredRecord): Promise<void> {
  return transaction(["records"], "readwrite", (found) => void found.objectStore("records").put({ ...record, isSent: true }));
}
