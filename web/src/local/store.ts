/**
 * What this browser has without the server, in IndexedDB: of its own tables the events, how lists show the games, and the
 * records of finished ones; answers to lessons; and what the server answered for reading offline.
 */

import type { GameView } from "../lib/api";

/** An event as `fivedice.local.service` stores it. */
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

/** An answer to a lesson that was given without the server, and whether a server has it. */
export interface StoredAnswer {
  /** Of the day, the lesson and whether it was accepted: of each day, one of either kind counts. */
  readonly id: string;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly line: string;
  readonly isAccepted: boolean;
  /** What the server is sent. */
  readonly body: { readonly day: string };
  readonly isSent: boolean;
}

/** The server's answer to a request for `path`. */
export interface KeptReply {
  readonly path: string;
  readonly at: number;
  readonly content: unknown;
}

/** What a reply of the service has to be stored with. */
export interface Writes {
  readonly events: readonly StoredEvent[];
  readonly games: readonly GameView[];
  readonly records: Readonly<Record<string, string>>;
}

const NAME = "fivedice";
const VERSION = 2;
const STORES: Readonly<Record<string, string | string[]>> = {
  events: ["table", "version"],
  games: "table",
  records: "table",
  answers: "id",
  replies: "path",
};

let opened: Promise<IDBDatabase> | undefined;

function database(): Promise<IDBDatabase> {
  return (opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      for (const [name, keyPath] of Object.entries(STORES)) {
        if (!request.result.objectStoreNames.contains(name)) request.result.createObjectStore(name, { keyPath });
      }
    };
    request.onsuccess = () => {
      // A page of a later version opens it.
      request.result.onversionchange = () => {
        request.result.close();
        opened = undefined;
      };
      resolve(request.result);
    };
    const fail = (error: Error): void => {
      opened = undefined;
      reject(error);
    };
    request.onerror = () => fail(request.error ?? new Error("IndexedDB cannot be opened"));
    request.onblocked = () => fail(Object.assign(new Error("close the other tabs of this page: they are of an earlier version"), { name: "other_tabs" }));
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

/** Notes that a server has a record, unless the game has ended anew meanwhile. */
export function markSent(record: StoredRecord): Promise<void> {
  return transaction(["records"], "readwrite", (found) => {
    const store = found.objectStore("records");
    const now = store.get(record.table) as IDBRequest<StoredRecord | undefined>;
    now.onsuccess = () => now.result?.text === record.text && store.put({ ...record, isSent: true });
  });
}

/** The answers to lessons, in the order in which they were given. */
export async function answers(): Promise<StoredAnswer[]> {
  return (await all<StoredAnswer>("answers")).sort((a, b) => a.at - b.at);
}

/** Stores an answer, in place of one with the same id. */
export function storeAnswer(answer: StoredAnswer): Promise<void> {
  return transaction(["answers"], "readwrite", (found) => void found.objectStore("answers").put(answer));
}

/** The replies that are kept, the latest first. */
export async function replies(): Promise<KeptReply[]> {
  return (await all<KeptReply>("replies")).sort((a, b) => b.at - a.at);
}

/** Stores a reply in place of the one before, and removes others. */
export function storeReply(reply: KeptReply, without: readonly string[]): Promise<void> {
  return transaction(["replies"], "readwrite", (found) => {
    found.objectStore("replies").put(reply);
    for (const path of without) found.objectStore("replies").delete(path);
  });
}

export function forgetReplies(): Promise<void> {
  return transaction(["replies"], "readwrite", (found) => void found.objectStore("replies").clear());
}
