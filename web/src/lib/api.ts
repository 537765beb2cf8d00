/** The HTTP API: short names for its types, and requests that throw an `ApiError`. */

import { isLocal } from "./offline.svelte";
import type { components } from "./schema";
import { notePage, reportFailure } from "./server.svelte";

type Schemas = components["schemas"];
export type Update = Schemas["Update"];
export type Presence = Schemas["Presence"];
export type KeptDice = Schemas["KeptDice"];
export type Reaction = Schemas["Reaction"];
export type SocketAnswer = Schemas["SocketAnswer"];
export type Changed = Schemas["Changed"];
export type Farewell = Schemas["Farewell"];
export type SocketMessage = Update | Presence | KeptDice | Reaction | SocketAnswer | Changed | Farewell | { readonly type: "pong" };
export type TableEvent = Update["events"][number];
export type TableView = Schemas["TableView"];
/** What a table shows of the exact values during the game. */
export type Help = TableView["help"];
/** Where the dice of a game come from. */
export type DiceSource = TableView["dice"];
export type DecisionView = Schemas["DecisionView"];
export type SeatView = Schemas["SeatView"];
export type CardView = Schemas["CardView"];
export type TurnView = Schemas["TurnView"];
export type OfferView = Schemas["OfferView"];
export type RulesView = Schemas["RulesView"];
export type BoxView = Schemas["BoxView"];
export type AdviceView = Schemas["AdviceView"];
export type ActionView = Schemas["ActionView"];
export type ActionParts = Schemas["ActionParts"];
export type RulesetView = Schemas["OfferedRulesetView"];
export type TableRulesView = Schemas["TableRulesView"];
export type CheckedView = Schemas["CheckedView"];
export type AvailableView = Schemas["AvailableView"];
export type RulesPageView = Schemas["OfferedRulesPageView"];
export type RulesSectionView = Schemas["RulesSection"];
export type BoxRuleView = Schemas["BoxRule"];
export type PlayerView = Schemas["PlayerView"];
export type OddsView = Schemas["OddsView"];
export type ScoreChancesView = Schemas["ScoreChancesView"];
export type SolutionFileView = Schemas["SolutionFileView"];
export type WhyView = Schemas["WhyView"];
export type PositionView = Schemas["PositionView"];
export type PositionChange = Schemas["PositionChange"];
export type CardEntries = Schemas["CardEntriesView"];
export type SampleView = Schemas["SampleView"];
export type BestTurn = Schemas["BestTurn"];
export type ReviewView = Schemas["ReviewView"];
export type GameView = Schemas["GameView"];
export type GamesView = Schemas["GamesView"];
export type OutcomeView = Schemas["OutcomeView"];
export type StandingView = Schemas["StandingView"];
export type FiguresView = Schemas["MyFiguresView"];
export type Account = Schemas["AccountView"];
export type PasskeyOptions = Schemas["PasskeyOptionsView"];
export type OverallStrength = Schemas["OverallStrengthView"];
export type Profile = Schemas["ProfileView"];
export type Rating = Schemas["RatingView"];
export type Strength = Schemas["StrengthView"];
export type PlayerFigures = Schemas["PlayerFiguresView"];
export type ErrorsView = Schemas["ErrorsView"];
export type RecentView = Schemas["RecentView"];
export type LessonsView = Schemas["LessonsView"];
export type GradeView = Schemas["GradeView"];
export type TodayView = Schemas["TodayView"];
export type TryKind = Schemas["TryView"]["kind"];
export type TryView = Schemas["TryView"];
export type TryAnswerView = Schemas["AnswerView"];
export type TryResultView = Schemas["ResultView"];
export type ComparisonView = Schemas["ComparisonView"];
export type ArchiveView = Schemas["ArchiveView"];
export type ArchivedTenView = Schemas["ArchivedTenView"];
export type DayProofsView = Schemas["DayProofsView"];
export type SameView = Schemas["DuplicateView"];
export type OwnSameView = Schemas["OwnDuplicateView"];
export type SameComparisonView = Schemas["DuplicateComparisonView"];
export type EnteredView = Schemas["EnteredView"];
export type ClubView = Schemas["ClubView"];
export type OwnClubView = Schemas["OwnClubView"];
export type TournamentView = Schemas["TournamentView"];
export type PlaceView = Schemas["Standing"];
export type MatchView = Schemas["Game"];
export type PlanSettings = Schemas["Settings"];
export type DiceView = Schemas["DiceView"];
export type RecordCheckView = Schemas["RecordCheckView"];
export type Export = Schemas["Export"];
export type ImportedGamesView = Schemas["ImportedGamesView"];
export type ImportedView = Schemas["ImportedView"];
export type SeatAccessView = Schemas["SeatAccessView"];
export type ReminderKey = Schemas["ReminderKeyView"];
export type SeatSecret = Schemas["SeatSecret"];
export type LobbyView = Schemas["LobbyView"];
export type FoundView = Schemas["Found"];
export type NewTable = Schemas["NewTable"];
export type Accepted = Schemas["Accepted"];
export type Refused = Schemas["Refused"];
export type Answer = Accepted | Refused;
export type Command =
  | Schemas["Sit"]
  | Schemas["AddNonce"]
  | Schemas["RollOff"]
  | Schemas["Roll"]
  | Schemas["Enter"]
  | Schemas["Score"]
  | Schemas["Announce"]
  | Schemas["Undo"]
  | Schemas["Resign"]
  | Schemas["Close"]
  | Schemas["Rematch"];

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

/** Repeats a request that needs a cookie once the answer has set it. */
async function known<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof ApiError && error.code === "no_cookie") return await send();
    throw error;
  }
}

export async function get<T>(path: string, init: RequestInit = {}): Promise<T> {
  return request<T>(path, init);
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
  try {
    answer = await fetch(path, init);
  } catch (cause) {
    reportFailure();
    throw new ApiError(0, cause instanceof Error ? cause.message : String(cause));
  }
  notePage(answer);
  const text = await answer.text();
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
function errorBody(text: string): Partial<Schemas["ErrorView"]> {
  try {
    const found = JSON.parse(text) as Partial<Schemas["ErrorView"]> | null;
    return typeof found?.error === "string" ? found : {};
  } catch {
    return {};
  }
}
