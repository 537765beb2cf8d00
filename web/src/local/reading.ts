/**
 * What can be read and answered without the server of what it once sent: the lessons that were due, and past days of the
 * daily that were opened; and what is sent to it once it is there again.
 */

import { ApiError, type ArchivedTenView, type ArchiveView, get, type GradeView, type ImportedView, type LessonsView, post } from "../lib/api";
import { isLocalTable } from "../lib/offline.svelte";
import { isKept, keptDigests } from "./manifest";
import { answers, games, markSent, records, replies, storeAnswer, storeReply } from "./store";

const LESSONS = "/api/me/lessons";
const ARCHIVE = "/api/daily/archive";

/** Past days that are kept; then the one that was opened longest ago goes. */
const MOST_DAYS = 100;

/** The lessons that the page was last given, which it may answer. */
let asked: LessonsView["lessons"] = [];

/** Keeps the server's reply to a request, if it can be read offline, and files to play offline are kept. */
export async function keepReply(path: string, content: object): Promise<void> {
  if (!(await isKept())) return;
  const [named] = path.split("?") as [string];
  if ("lessons" in content) return storeReply({ path: named, at: Date.now(), content }, []);
  if (!("questions" in content)) return;
  // Its answers, too, so that the day is whole offline: the request for them comes back here.
  if (path.includes("answers=false")) return void (await get(path.replace("answers=false", "answers=true")));
  const days = (await replies()).filter((one) => one.path.startsWith(ARCHIVE) && one.path !== named);
  await storeReply({ path: named, at: Date.now(), content }, days.slice(MOST_DAYS - 1).map((one) => one.path));
}

/** The reply to a request as the server once sent it; undefined if nothing like it is kept. */
export async function keptReply(path: string): Promise<unknown> {
  if (path === LESSONS) return lessons();
  const [named] = path.split("?") as [string];
  if (!named.startsWith(ARCHIVE)) return undefined;
  const days = (await replies()).filter((one) => one.path.startsWith(`${ARCHIVE}/`));
  if (named !== ARCHIVE) return days.find((one) => one.path === named)?.content;
  const listed = days.map((one) => one.content as ArchivedTenView).map(({ day, number }) => ({ day, number, players: 0 }));
  return { days: listed.sort((a, b) => b.number - a.number), next: null } satisfies ArchiveView;
}

/** The lessons that were due when the server was last asked, without those learnt since and those without values here. */
async function lessons(): Promise<LessonsView> {
  const view = (await replies()).find((one) => one.path === LESSONS)?.content as LessonsView | undefined;
  const [digests, accepted] = [await keptDigests(), (await answers()).filter((one) => one.isAccepted)];
  const left = (view?.lessons ?? []).filter(
    ({ line, rules, due }) => digests.includes(rules) && !accepted.some((one) => one.line === line && one.body.day >= (due ?? "")),
  );
  noteLessons(left);
  return { lessons: left, rulesets: view?.rulesets ?? [], due: left.length, new: 0, learnt: 0, next: null };
}

/** Notes lessons that the page is given. */
export function noteLessons(found: LessonsView["lessons"]): void {
  asked = found;
}

/** A body to be graded here, with what the page was given: the choice of a lesson, or the position of a past day. */
export async function withAsked(path: string, body: string): Promise<string> {
  const given = JSON.parse(body) as { line?: string; number?: number };
  if (path.startsWith("/api/lessons")) return JSON.stringify({ ...given, chosen: asked.find(({ line }) => line === given.line)?.chosen ?? "" });
  const ten = (await keptReply(path)) as ArchivedTenView | undefined;
  return JSON.stringify({ ...given, line: ten?.questions.find(({ number }) => number === given.number)?.line ?? "" });
}

/** Stores an answer to a lesson with its grade, until the server has it. */
export async function keepAnswer(body: string, { is_accepted: isAccepted }: GradeView): Promise<void> {
  const { table, line, action } = JSON.parse(body) as { table: string; line: string; action: unknown };
  const at = Date.now();
  const day = new Date(at).toISOString().slice(0, 10);
  const earlier = (await answers()).filter((one) => one.line === line && one.body.day === day);
  // After the right answer, others of the day are practice.
  if (earlier.some((one) => one.isAccepted || !isAccepted)) return;
  // A game of this browser is one without a table on the server.
  const sent = { table: isLocalTable(table) ? "" : table, line, action, day };
  await storeAnswer({ id: `${day} ${isAccepted} ${line}`, at, line, isAccepted, body: sent, isSent: false });
}

/** Sends the answers that the server does not have. It counts each once, however often it is sent. */
async function sendAnswers(hasAllGames: boolean): Promise<void> {
  for (const answer of (await answers()).filter((one) => !one.isSent)) {
    try {
      await post("/api/lessons", answer.body);
    } catch (error) {
      // A game that the server does not have any more has no lessons.
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      if (!hasAllGames) continue;
    }
    await storeAnswer({ ...answer, isSent: true });
  }
}

/**
 * Sends every finished game that the server does not have yet. The server stores equal records once, so that a game
 * that is sent again, because the page was closed before it was noted here, counts once.
 */
export async function sendHome(): Promise<void> {
  const waiting = (await records()).filter((record) => !record.isSent);
  const seats = new Map((await games()).map(({ table, yours }) => [table, yours]));
  let hasAll = true;
  for (const record of waiting) {
    const [seat, ...others] = seats.get(record.table) ?? [];
    try {
      await post<ImportedView>("/api/me/records", { text: record.text, seat: others.length ? null : (seat ?? null) });
    } catch (error) {
      // A record that the server refuses, such as one with a date in the future, does not hold up the others.
      if (!(error instanceof ApiError) || error.code !== "malformed") throw error;
      hasAll = false;
      continue;
    }
    await markSent(record);
  }
  await sendAnswers(hasAll); // some are to lessons of these games
}
