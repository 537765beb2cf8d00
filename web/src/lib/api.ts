/** The HTTP API: its types, which the server describes, and requests that throw an `ApiError`. */

import { isLocal } from "./offline.svelte";
import type * as schema from "./schema";
import { notePage, reportFailure } from "./server.svelte";

export type * from "./schema";
export type SocketMessage = schema.Update | schema.Presence | schema.KeptDice | schema.Reaction | schema.SocketAnswer | schema.Changed | schema.Farewell | { readonly type: "pong" };
export type TableEvent = schema.Update["events"][number];
/** What a table shows of the exact values during the game. */
export type Help = schema.TableView["help"];
/** Where the dice of a game come from. */
export type DiceSource = schema.TableView["dice"];
export type RulesetView = schema.OfferedRulesetView;
export type RulesPageView = schema.OfferedRulesPageView;
export type TryKind = schema.TryView["kind"];
export type PlaceView = schema.Standing;
export type MatchView = schema.Game;
export type PlanSettings = schema.Settings;
export type FoundView = schema.Found;
export type Answer = schema.Accepted | schema.Refused;
export type Command =
  | schema.Sit
  | schema.AddNonce
  | schema.RollOff
  | schema.Roll
  | schema.Enter
  | schema.Score
  | schema.Announce
  | schema.Undo
  | schema.Resign
  | schema.Close
  | schema.Rematch;

/** A request that failed, with the server's message and code, or one that did not reach the server (`status` 0). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code = "",
    /** After too many requests, how long to wait before the next. */
    readonly seconds = 0,
  ) {
    super(message);
  }
}

/** Whether the error is temporary: no network, too many requests, or a server that is restarting. */
export function isTemporary(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}

/** What is of use only to a browser that the server knows again. */
const KNOWN_ONLY = /^\/api\/(?:clubs|daily|duplicates|lobby|me|tables|tournaments)\b/;

/** Raises an `ApiError` if the browser keeps no cookie, by which the server knows it again. */
export async function requireCookie(): Promise<void> {
  await known(() => request("/api/me?limit=1", { headers: COOKIE }));
}

const COOKIE = { "fivedice-cookie": "required" };

/** Repeats a request that needs a cookie once the answer has set it, as `again` does. */
async function known<T>(send: () => Promise<T>, again = send): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof ApiError && error.code === "no_cookie") return await again();
    throw error;
  }
}

export async function get<T>(path: string, init: RequestInit = {}): Promise<T> {
  return request<T>(path, init);
}

/** As `get`. A browser without a cookie gets one first, so that the server knows whatever it does next as its own. */
export async function getKnown<T>(path: string): Promise<T> {
  return known(() => request<T>(path, { headers: COOKIE }), () => request<T>(path, {}));
}

export async function post<T>(path: string, body: unknown): Promise<T> {
  const headers = { "content-type": "application/json", ...(KNOWN_ONLY.test(path) ? COOKIE : {}) };
  return known(() => request<T>(path, { method: "POST", headers, body: JSON.stringify(body) }));
}

export async function remove(path: string): Promise<void> {
  await request<unknown>(path, { method: "DELETE" });
}

/** What this browser does without the server. */
export interface Local {
  /** Answers a request. */
  request<T>(path: string, init: RequestInit): Promise<T>;
  /** Hears what the server replied, some of which can be read offline later. */
  noteReply(path: string, reply: unknown): void;
}

let local: Local | undefined;

/** Sets who answers without the server: `local/`, which sends requests to the server, too. */
export function answerBy(found: Local): void {
  local = found;
}

async function request<T>(path: string, init: RequestInit): Promise<T> {
  if (local && isLocal(path)) return local.request<T>(path, init);
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(path, init);
    text = await answer.text();
  } catch (cause) {
    reportFailure();
    throw new ApiError(0, cause instanceof Error ? cause.message : String(cause));
  }
  notePage(answer);
  if (!answer.ok) {
    const { error = `${answer.status} ${answer.statusText}`, code } = errorBody(text);
    throw new ApiError(answer.status, error, code, Number(answer.headers.get("retry-after")));
  }
  const reply = (isJson(answer) ? JSON.parse(text) : text) as T;
  local?.noteReply(path, reply);
  return reply;
}

function isJson(answer: Response): boolean {
  return (answer.headers.get("content-type") ?? "").includes("json");
}

/** The body of an error, if it is one of the server; a proxy may have answered instead. */
function errorBody(text: string): Partial<schema.ErrorReply> {
  try {
    const found = JSON.parse(text) as Partial<schema.ErrorReply> | null;
    return typeof found?.error === "string" ? found : {};
  } catch {
    return {};
  }
}
