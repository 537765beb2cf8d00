// Verifies the dice of a record with Web Crypto and without a server: a second implementation of docs/fair-dice.md, which
// specifies the dice, and of docs/record-format.md, which specifies the lines. It reads what determines the dice and
// nothing else: points, result, rules, undone turns and help are for a server to check. Tests compare it with
// `fivedice verify`.
//
// It is one file without imports, so that people who do not trust the server can read it as a whole, keep a copy, and run
// that without the rest of the page: `node` does, or what tests/web/verifier.mjs does to it.

/** The dice of a turn as in one of its two lines: in ascending order, or by place with `_` for dice that were not kept. */
export interface TurnLine {
  number: number;
  rolls: string[];
  keeps: string[];
}

/** The proof in a record: the values of its lines by their keys, with the numbers of these lines, and its turns. */
export interface Proof {
  values: Record<string, string[]>;
  numbers: Record<string, number>;
  turns: TurnLine[];
}

/** A record as lines, without any rules; `turns` are those with dice, which people rolled and entered if `isReal`. */
export interface RecordLines {
  kinds: string[];
  first: number;
  isReal: boolean;
  turns: TurnLine[];
  proof: Proof | null;
}

/**
 * Lines of a record that the secret does not support, as `Problem` in game/verification.py, which explains the kinds.
 * Turns and rolls are counted from 0, lines from 1.
 */
export interface Problem {
  kind: "commitment" | "opening" | "turns" | "rolls" | "keep" | "dice";
  lines: number[];
  shown: string;
  made: string;
  turn: number | null;
  roll: number | null;
}

/** The result: how many dice were compared, how it was decided who begins, and if a player's browser chose the dice. */
export interface Verification {
  ok: boolean;
  table: string;
  commitment: string;
  nonces: string[];
  offline: boolean;
  began: "rolled" | "chosen" | "unknown";
  first: number;
  dice: number;
  problems: Problem[];
}

const SCHEME = "fivedice dice 1";
const HEADER = ["ruleset", "options", "digest", "seats", "first", "date", "result"];
/** The character of each face, from 1 up. */
const FACES = "123456789abcdefghijk";
const REAL = /^dice: real(, table [A-Za-z0-9_-]{1,64})?$/;
/** A step of a turn; the groups are the dice that are kept, and those of a roll. */
const STEP = /^(?:-|resign|(?:announce|score|scratch) .+|keep ([1-9a-k]{1,10}|-)|([1-9a-k]{1,10}))$/;
const PLACES = /^[1-9a-k]{1,10}(, keep [1-9a-k_]{1,10}, [1-9a-k]{1,10})*$/;
/** The lines of a proof by their keys. What nothing proves is for a server to read. */
const PROOF: Record<string, RegExp> = {
  scheme: new RegExp(`^${SCHEME}$`),
  table: /^[A-Za-z0-9_-]{1,64}$/,
  commitment: /^[0-9a-f]{64}$/,
  faces: /^([2-9]|1[0-9]|20)$/,
  source: /^browser$/,
  opening: /^(first|random|highest_roll)$/,
  nonce: /^(seat|watcher) (0|[1-9][0-9]{0,3}) [0-9a-f]{1,64}$/,
  secret: /^[0-9a-f]{64}$/,
  undone: /^/,
  help: /^/,
};
const REPEATED = ["nonce", "undone"];

/**
 * The record cannot be checked: it cannot be read, has no proof, or its secret is not revealed yet. If it cannot be read,
 * `line` is the number of a line, and `want` what one of that kind looks like.
 */
export class UncheckableError extends Error {
  constructor(
    readonly kind: "form" | "real_dice" | "no_proof" | "no_secret" | "no_crypto",
    readonly line = 0,
    readonly want = "",
  ) {
    super(`${kind}: line ${line}: want ${want}`);
  }
}

/** Whether a text may be a record. */
export const isRecord = (text: string): boolean => text.trimStart().startsWith("fivedice record");

/**
 * Computes every die of a record again. Rejects with an `UncheckableError` if the record cannot be checked.
 *
 * Of each turn, the first step with a problem is named: what follows rests on it.
 */
export async function verifyRecord(text: string): Promise<Verification> {
  const lines = readLines(text);
  const { proof } = lines;
  if (lines.isReal) throw new UncheckableError("real_dice");
  if (proof === null) throw new UncheckableError("no_proof");
  const { nonce: nonces = [], secret: [revealed] = [] } = proof.values;
  if (!revealed) throw new UncheckableError("no_secret");
  const secret = Uint8Array.from(revealed.match(/../g) ?? [], (byte) => parseInt(byte, 16));
  const [table, opening, faces] = [one(proof, "table"), one(proof, "opening"), Number(one(proof, "faces"))];
  const dice = await tableDice(secret, table, nonces);
  const problems: Problem[] = [];
  const [shown, made] = [one(proof, "commitment"), await commitment(secret)];
  if (shown !== made) {
    const numbers = [proof.numbers.commitment ?? 0, proof.numbers.secret ?? 0];
    problems.push({ kind: "commitment", lines: numbers, shown, made, turn: null, roll: null });
  }
  /** Whether dice decided who began, and the record shows how many there are to roll for it. */
  const isRolled = opening === "random" || (opening === "highest_roll" && proof.turns.length > 0);
  const seat = isRolled ? await openingSeat(opening, proof, lines.kinds.length, dice.opening()) : lines.first;
  if (seat !== lines.first) {
    problems.push({ kind: "opening", lines: [HEADER.indexOf("first") + 2], shown: `${lines.first}`, made: `${seat}`, turn: null, roll: null });
  }
  let count = 0;
  if (lines.turns.length === proof.turns.length) {
    for (const [turn, placed] of proof.turns.entries()) {
      const found = await checkTurn(turn, lines.turns[turn] ?? placed, placed, dice, faces);
      count += found.count;
      problems.push(...found.problems);
    }
  } else problems.push(firstWithoutPartner(lines.turns, proof.turns));
  return {
    ok: problems.length === 0,
    table,
    commitment: shown,
    nonces,
    offline: one(proof, "source") === "browser",
    began: isRolled ? "rolled" : opening === "first" ? "chosen" : "unknown",
    first: lines.first,
    dice: count,
    problems,
  };
}

/** The only value of a key of a proof, empty if the record does not say it. */
function one(proof: Proof, key: string): string {
  return proof.values[key]?.[0] ?? "";
}

/** The commitment to a secret: its SHA-256 as 64 hexadecimal digits. */
export async function commitment(secret: BufferSource): Promise<string> {
  const digest = new Uint8Array(await webCrypto().digest("SHA-256", secret));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** All the dice of a table, and those that decide who begins, one by one. Turns, rolls and places are counted from 0. */
export async function tableDice(secret: BufferSource, table: string, nonces: string[]) {
  const key = await webCrypto().importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const before = [SCHEME, `table ${table}`, ...nonces.map((nonce) => `nonce ${nonce}`)];

  async function face(place: string[], faces: number): Promise<number> {
    for (let draw = 0; ; draw += 1) {
      const message = [...before, ...place, `draw ${draw}`].join("\n");
      const digest = await webCrypto().sign("HMAC", key, new TextEncoder().encode(message));
      const found = faceFrom(new Uint8Array(digest), faces);
      if (found !== null) return found;
    }
  }

  return {
    die: (turn: number, roll: number, place: number, faces: number) => face([`turn ${turn}`, `roll ${roll}`, `die ${place}`], faces),
    opening: () => {
      let number = 0;
      return (sides: number) => face([`opening ${number++}`], sides);
    },
  };
}

/** A face, 1 to `faces`, from the first byte below the greatest multiple of `faces` up to 256; null if there is none. */
export function faceFrom(bytes: Iterable<number>, faces: number): number | null {
  const limit = 256 - (256 % faces);
  for (const byte of bytes) {
    if (byte < limit) return (byte % faces) + 1;
  }
  return null;
}

/** The seat that the opening's dice give. */
async function openingSeat(opening: string, proof: Proof, seats: number, roll: (sides: number) => Promise<number>): Promise<number> {
  if (opening === "random") return (await roll(seats)) - 1;
  let tied = Array.from({ length: seats }, (_, seat) => seat);
  while (tied.length > 1) {
    const totals: number[] = [];
    for (const _ of tied) {
      let total = 0;
      for (const _die of proof.turns[0]?.rolls[0] ?? "") total += await roll(Number(one(proof, "faces")));
      totals.push(total);
    }
    tied = tied.filter((_, index) => totals[index] === Math.max(...totals));
  }
  return tied[0] ?? 0;
}

/** Where the turns of a record and of its proof, which are not as many, begin to differ. */
function firstWithoutPartner(turns: TurnLine[], placed: TurnLine[]): Problem {
  const alike = Math.min(turns.length, placed.length);
  const differs = turns.findIndex((line, turn) => turn < alike && line.rolls[0] !== ascending(placed[turn]?.rolls[0] ?? ""));
  const turn = differs < 0 ? alike : differs;
  const lines = [turns, placed].flatMap((both) => both[turn]?.number ?? []);
  return { kind: "turns", lines, shown: `${turns.length}`, made: `${placed.length}`, turn, roll: null };
}

/** Compares both lines of a turn with each other and with the secret, up to the first step with a problem. */
async function checkTurn(turn: number, line: TurnLine, placed: TurnLine, dice: Awaited<ReturnType<typeof tableDice>>, faces: number): Promise<{ count: number; problems: Problem[] }> {
  const lines = [line.number, placed.number];
  const [shown, made] = [line, placed].map(({ rolls }) => `${rolls.length}`) as [string, string];
  if (shown !== made) return { count: 0, problems: [{ kind: "rolls", lines, shown, made, turn, roll: null }] };
  let count = 0;
  let before = "_".repeat((placed.rolls[0] ?? "").length);
  for (const [roll, rolled] of placed.rolls.entries()) {
    const kept = roll ? (placed.keeps[roll - 1] ?? "") : before;
    const keep = roll ? (line.keeps[roll - 1] ?? "") : "-";
    const fits = kept.length === before.length && [...kept].every((face, place) => face === "_" || face === before[place]);
    if (!fits || keep !== (ascending(kept.replaceAll("_", "")) || "-")) {
      return { count, problems: [{ kind: "keep", lines, shown: `${keep} / ${kept}`, made: before, turn, roll }] };
    }
    count += kept.split("_").length - 1;
    const fresh = async (place: number) => FACES[(await dice.die(turn, roll, place, faces)) - 1] ?? "";
    before = (await Promise.all(Array.from(kept, (face, place) => (face === "_" ? fresh(place) : face)))).join("");
    const steps: [number, string, string][] = [
      [line.number, line.rolls[roll] ?? "", ascending(before)],
      [placed.number, rolled, before],
    ];
    const wrong = steps.filter(([, said, right]) => said !== right);
    const problems = wrong.map(([number, said, right]): Problem => ({ kind: "dice", lines: [number], shown: said, made: right, turn, roll }));
    if (problems.length) return { count, problems };
  }
  return { count, problems: [] };
}

/** The lines of a record. Throws an `UncheckableError` that names the line which is not of the documented form. */
export function readLines(text: string): RecordLines {
  const lines = text.replaceAll("\r\n", "\n").split("\n").map((line) => line.replace(/^[ \t]+|[ \t]+$/g, ""));
  if (lines[0] !== "fivedice record 1") refuse(1, "fivedice record 1");
  const header = HEADER.map((key, index) => lines[index + 1]?.match(`^${key}: (.+)`)?.[1] ?? refuse(index + 2, `${key}: …`));
  const [kinds, first] = [kindsOf(header[3] ?? ""), Number(header[4])];
  if (!(first in kinds)) refuse(HEADER.indexOf("first") + 2, "first: 0");
  const after = HEADER.length + 1;
  const isReal = REAL.test(lines[after] ?? "");
  const end = [...lines, "rules:"].indexOf("rules:", after);
  const turnsEnd = [...lines.slice(0, end), "proof:"].indexOf("proof:", after);
  const full = lines.map((line, index): [number, string] => [index + 1, line]).filter(([, line]) => line);
  const part = (from: number, to: number) => full.filter(([number]) => number > from && number <= to);
  const turns = part(after + Number(isReal), turnsEnd).map((line) => readTurn(...line)).filter(({ rolls }) => rolls.length);
  return { kinds, first, isReal, turns, proof: turnsEnd < end ? readProof(part(turnsEnd + 1, end), end + 1) : null };
}

function readTurn(number: number, line: string): TurnLine {
  const want = "0: 13345, keep 33, 23356, score threes = 6";
  const steps = /^[0-9]+: (.+)$/.exec(line)?.[1]?.split(", ") ?? refuse(number, want);
  const found = steps.map((step) => STEP.exec(step) ?? refuse(number, want));
  return { number, keeps: found.flatMap(([, keep]) => keep ?? []), rolls: found.flatMap(([, , roll]) => roll ?? []) };
}

function readProof(lines: [number, string][], end: number): Proof {
  const proof: Proof = { values: {}, numbers: {}, turns: [] };
  const { values, numbers, turns } = proof;
  for (const [number, line] of lines) {
    const [, key = "", value = ""] = /^([a-z0-9 ]+): (.*)$/.exec(line) ?? [];
    if (key === `turn ${turns.length}` && PLACES.test(value)) {
      turns.push({ number, rolls: value.split(/, keep [^,]+, /), keeps: Array.from(value.matchAll(/keep ([^,]+)/g), ([, keep = ""]) => keep) });
    } else if (PROOF[key]?.test(value) && (!values[key] || REPEATED.includes(key))) {
      (values[key] ??= []).push(value);
      numbers[key] = number;
    } else refuse(number, `turn ${turns.length}: 31435, keep 3__3_, 36332`);
  }
  for (const key of ["scheme", "table", "commitment", "faces"]) if (!values[key]) refuse(end, `${key}: …`);
  return proof;
}

function refuse(line: number, want: string): never {
  throw new UncheckableError("form", line, want);
}

/** The kinds of players by seat. A name in quotes may contain any characters; quotes are part of a name if there is no colon. */
function kindsOf(seats: string): string[] {
  const bare = seats.includes(":") ? seats.replace(/"(?:[^"\\]|\\["\\])*"/g, "") : seats;
  return bare.split(",").map((seat) => seat.split(/[=:]/).at(-1) ?? "");
}

function ascending(dice: string): string {
  return [...dice].sort().join("");
}

function webCrypto(): SubtleCrypto {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) throw new UncheckableError("no_crypto");
  return subtle;
}
