/** Requests and tables without a server: a worker answers as a server does. */

import { type Answer, ApiError, type Command, type GamesView, type GradeView, type LessonsView, type SocketMessage, type Update } from "../lib/api";
import { IS_STATIC } from "../lib/site";
import { keepAnswer, keptReply, noteLessons, withAsked } from "./reading";
import { games } from "./store";
import type { Asked, Told } from "./worker";

const NOT_STARTED = "Python cannot be started";

let worker: Worker | undefined;
let lastId = 0;
const waiting = new Map<number, (told: { status: number; content: unknown }) => void>();
const followers = new Map<string, Set<(message: SocketMessage) => void>>();

/** Starts Python, unless it has started, so that it is ready sooner for the first request. */
export function begin(): void {
  running();
}

/** Starts Python once in a worker of its own, so that its memory is saved for later starts. */
export async function prepare(): Promise<void> {
  const once = newWorker();
  const told = await new Promise<Told | undefined>((resolve) => {
    once.onmessage = (event: MessageEvent<Told>) => resolve(event.data);
    once.onerror = () => resolve(undefined);
    once.postMessage({ id: 0, method: "GET", path: "/api/players?lang=en", body: "" } satisfies Asked);
  });
  once.terminate();
  if (!told || !("status" in told) || told.status !== 200) throw new ApiError(0, NOT_STARTED);
}

function newWorker(): Worker {
  return new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
}

function running(): Worker {
  if (!worker) {
    worker = newWorker();
    worker.onmessage = (event: MessageEvent<Told>) => {
      const told = event.data;
      if ("id" in told) {
        waiting.get(told.id)?.(told);
        waiting.delete(told.id);
      } else for (const receive of followers.get(told.table) ?? []) receive(told.message as SocketMessage);
    };
    worker.onerror = () => {
      worker?.terminate();
      worker = undefined;
      for (const resolve of waiting.values()) resolve({ status: 0, content: { error: NOT_STARTED } });
      waiting.clear();
    };
  }
  return worker;
}

function ask(method: string, path: string, body = ""): Promise<{ status: number; content: unknown }> {
  return new Promise((resolve) => {
    lastId += 1;
    waiting.set(lastId, resolve);
    running().postMessage({ id: lastId, method, path, body } satisfies Asked);
  });
}

/** The reply to a request; throws an `ApiError`. */
export async function request<T>(path: string, init: RequestInit): Promise<T> {
  if (path === "/api/me" || path.startsWith("/api/me?")) return { games: await games(), unreadable: 0, next: null } satisfies GamesView as T;
  if (path === "/api/me/imported") return { people: [] } as T;
  const [method, given, isLesson] = [init.method ?? "GET", typeof init.body === "string" ? init.body : "", path.startsWith("/api/lessons")];
  const kept = method === "GET" ? await keptReply(path) : undefined;
  if (kept) return kept as T;
  const body = isLesson || (method === "POST" && path.startsWith("/api/daily/archive/")) ? await withAsked(path, given) : given;
  const { status, content } = await ask(method, path, body);
  if (status >= 200 && status < 300) {
    if (isLesson && !IS_STATIC) await keepAnswer(given, content as GradeView);
    if (/^\/api\/tables\/[^/]+\/lessons/.test(path)) noteLessons((content as LessonsView).lessons);
    return content as T;
  }
  const { error, code } = content as { error: string; code?: string };
  throw new ApiError(status, error, code);
}

/** Follows a table: `receive` gets its messages, the first of which is what is new since a version. */
export async function follow(table: string, since: number, receive: (message: SocketMessage) => void): Promise<() => void> {
  const own = followers.get(table) ?? new Set();
  followers.set(table, own);
  receive(await request<Update>(`/api/tables/${table}/stream?since=${since}`, {}));
  own.add(receive);
  return () => own.delete(receive);
}

/** The answer to a command. */
export async function send(table: string, command: Command): Promise<Answer> {
  const { content } = await ask("POST", `/api/tables/${table}/commands`, JSON.stringify(command));
  const answer = content as Answer | { error: string };
  if ("error" in answer) return { type: "refused", id: command.id, version: command.version, reason: "unavailable", detail: answer.error };
  return answer;
}
