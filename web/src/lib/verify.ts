// Verifies the dice of a record with Web Crypto and without a server: a second implementation of docs/fair-dice.md, which
// specifies the dice, and of docs/record-format.md, which specifies the lines. It knows no rules of any game: points and
// result are for a server to check. Tests compare it with `fivedice verify`.
//
// It is one file without imports, so that people who do not trust the server can read it as a whole, keep a copy, and run
// that without the rest of the page: `node` does, or what tests/web/verifier.mjs does to it.

/** The dice of a turn as in one of its two lines: in ascending order, or by place with `_` for dice that were not kept. */
export interface TurnLine {
  number: number;
  rolls: string[];
  keeps: string[];
}

/** An action that was taken back; `rolled` are the seats that had rolled since, `foreseen` if one is a person's. */
export interface Undone {
  turn: number;
  action: string;
  rolled: number[];
  foreseen: boolean;
}

/** The help in a game, and the tutor's questions to the seats that had any; `changed` of these were decided otherwise. */
export interface UsedHelp {
  kind: "none" | "after" | "tutor" | "always";
  questions: { seat: number; asked: number; changed: number }[];
}

/**
 * The proof in a record; `secret` is null until it is revealed, `opening` empty and `help` null if the record does not say
 * it.
 */
export interface Proof {
  table: string;
  commitment: string;
  faces: number;
  /** Who chose the secret: empty for a server, "browser" for a game that was played offline. */
  source: string;
  opening: string;
  nonces: string[];
  secret: BufferSource | null;
  undone: Undone[];
  help: UsedHelp | null;
  turns: TurnLine[];
  /** The numbers of lines by their keys, 0 for a line that is not there. */
  numbers: { commitment: number; secret: number };
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
  kind: "commitment" | "opening" | "turns" | "rolls" | "size" | "keep" | "die";
  lines: number[];
  shown: string;
  made: string;
  turn: number | null;
  roll: number | null;
  /** The line that says what the secret gives. */
  supported: number | null;
}

/** The result of a check: `dice` is the number of dice that were compared, `began` how it was decided who begins. */
export interface Verification {
  ok: boolean;
  table: string;
  commitment: string;
  nonces: string[];
  /** Whether the browser of a player chose the dice, so that nothing proves them. */
  offline: boolean;
  began: "rolled" | "chosen" | "unknown";
  first: number;
  dice: number;
  undone: Undone[];
  help: UsedHelp | null;
  problems: Problem[];
}

/** All the dice of a table; `opening` gives the dice that decide who begins, one by one. */
export interface TableDice {
  die(turn: number, roll: number, place: number, faces: number): Promise<number>;
  opening(): (sides: number) => Promise<number>;
}

export type Uncheckable = "form" | "real_dice" | "no_proof" | "no_secret" | "no_crypto";

/** The source of a secret that the browser of a player chose, which proves nothing. */
const BROWSER = "browser";
const SCHEME = "fivedice dice 1";
const TITLE = "fivedice record 1";
const HEADER = ["ruleset", "options", "digest", "seats", "first", "date", "result"];
const MAX_CHARACTERS = 1_000_000;
const MAX_NONCES = 64;
/** The character of each face, from 1 up. */
const FACES = "123456789abcdefghijk";
const NUMBER = "(?:0|[1-9][0-9]{0,8})";
const SEAT = "(?:0|[1-9][0-9]?)";
const DICE = "[1-9a-k]{1,10}";
const BOX = "[a-z0-9_]{1,81}";
const ROLL = `${DICE}(?:, announce ${BOX})?`;
const SCORE = `(?:score|scratch) ${BOX} = ${NUMBER}(?: \\+[1-9][0-9]{0,8})?`;
const TURN = whole(`${SEAT}: (?:((?:-, )*${ROLL}(?:, keep (?:${DICE}|-), ${ROLL})*)(?:, (?:${SCORE}|resign))?|resign)`);
const PLACES = whole(`${DICE}(?:, keep [1-9a-k_]{1,10}, ${DICE})*`);
const REAL = whole("dice: real(?:, table [A-Za-z0-9_-]{1,64})?");
const TABLE = whole("[A-Za-z0-9_-]{1,64}");
const HEX = whole("[0-9a-f]{64}");
const NUM_FACES = whole("[1-9]|1[0-9]|20");
const OPENING = whole("first|random|highest_roll");
const NONCE = whole("(seat|watcher) (0|[1-9][0-9]{0,3}) [0-9a-f]{1,64}");
const SINCE = `after rolls of seat ${SEAT}(?:, seat ${SEAT})*`;
const UNDONE = whole(`turn (0|[1-9][0-9]{0,5}), ((?:score|scratch|announce) ${BOX})(?:, (${SINCE}))?`);

const QUESTIONS = `seat ${SEAT} asked [1-9][0-9]{0,8} changed ${NUMBER}`;
const HELP = whole(`(none|after|tutor|always)((?:, ${QUESTIONS})*)`);

/** The record cannot be checked: it cannot be read, has no proof, or its secret is not revealed yet. */
export class UncheckableError extends Error {
  readonly kind: Uncheckable;
  /** Of a record that cannot be read: the line, and what one of that kind looks like. */
  readonly line: number;
  readonly want: string;

  constructor(kind: Uncheckable, line = 0, want = "") {
    super(`${kind}: line ${line}: want ${want}`);
    [this.kind, this.line, this.want] = [kind, line, want];
  }
}

/** Whether a text may be a record. */
export function isRecord(text: string): boolean {
  return text.trimStart().startsWith("fivedice record");
}

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
  if (proof.secret === null) throw new UncheckableError("no_secret");
  const dice = await tableDice(proof.secret, proof.table, proof.nonces);
  const problems = [...(await checkCommitment(proof, proof.secret)), ...(await checkOpening(lines, proof, dice))];
  let count = 0;
  if (lines.turns.length === proof.turns.length) {
    for (const [turn, placed] of proof.turns.entries()) {
      const found = await checkTurn(turn, lines.turns[turn] ?? placed, placed, dice, proof.faces);
      count += found.count;
      problems.push(...found.problems);
    }
  } else problems.push(firstWithoutPartner(lines.turns, proof.turns));
  const { table, nonces, undone, help } = proof;
  return {
    ok: problems.length === 0,
    table,
    commitment: proof.commitment,
    nonces,
    offline: proof.source === BROWSER,
    began: isOpeningRolled(proof) ? "rolled" : proof.opening === "first" ? "chosen" : "unknown",
    first: lines.first,
    dice: count,
    undone,
    help,
    problems,
  };
}

/** The commitment to a secret: its SHA-256 as 64 hexadecimal digits. */
export async function commitment(secret: BufferSource): Promise<string> {
  const digest = new Uint8Array(await webCrypto().digest("SHA-256", secret));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** All the dice of a table. Turns, rolls and places are counted from 0. */
export async function tableDice(secret: BufferSource, table: string, nonces: string[]): Promise<TableDice> {
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
    die: (turn, roll, place, faces) => face([`turn ${turn}`, `roll ${roll}`, `die ${place}`], faces),
    opening: () => {
      let number = 0;
      return (sides) => face([`opening ${number++}`], sides);
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

async function checkCommitment(proof: Proof, secret: BufferSource): Promise<Problem[]> {
  const made = await commitment(secret);
  if (made === proof.commitment) return [];
  return [problem("commitment", proof.commitment, made, [proof.numbers.commitment, proof.numbers.secret])];
}

/** Whether dice decided who began, and the record shows how many dice there are to roll for it. */
function isOpeningRolled(proof: Proof): boolean {
  return proof.opening === "random" || (proof.opening === "highest_roll" && proof.turns.length > 0);
}

async function checkOpening(lines: RecordLines, proof: Proof, dice: TableDice): Promise<Problem[]> {
  if (!isOpeningRolled(proof)) return [];
  const first = await openingSeat(proof, lines.kinds.length, dice.opening());
  return first === lines.first ? [] : [problem("opening", String(lines.first), String(first), [lineOf("first")])];
}

/** The seat that the opening's dice give. */
async function openingSeat(proof: Proof, seats: number, roll: (sides: number) => Promise<number>): Promise<number> {
  if (proof.opening === "random") return (await roll(seats)) - 1;
  let tied = Array.from({ length: seats }, (_, seat) => seat);
  while (tied.length > 1) {
    const totals: number[] = [];
    for (const _ of tied) {
      let total = 0;
      for (let die = 0; die < (proof.turns[0]?.rolls[0] ?? "").length; die += 1) total += await roll(proof.faces);
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
  const numbers = [turns, placed].flatMap((both) => both[turn]?.number ?? []);
  return problem("turns", String(turns.length), String(placed.length), numbers, turn);
}

/** Compares both lines of a turn with each other and with the secret, up to the first step with a problem. */
async function checkTurn(turn: number, line: TurnLine, placed: TurnLine, dice: TableDice, faces: number): Promise<{ count: number; problems: Problem[] }> {
  const both = [line.number, placed.number];
  const sizes = [line.rolls.length, placed.rolls.length];
  if (sizes[0] !== sizes[1]) {
    return { count: 0, problems: [problem("rolls", String(sizes[0]), String(sizes[1]), both, turn)] };
  }
  let count = 0;
  let before = "";
  for (const [roll, rolled] of placed.rolls.entries()) {
    const shown = line.rolls[roll] ?? "";
    const kept = roll ? (placed.keeps[roll - 1] ?? "") : "_".repeat(rolled.length);
    if (new Set([shown, rolled, kept, before || rolled].map((step) => step.length)).size > 1) {
      return { count, problems: [problem("size", shown, rolled, both, turn, roll)] };
    }
    /** The dice of the secret, all of them, since equal dice can be kept in several ways. */
    const fresh = await Promise.all(Array.from(rolled, (_, place) => dice.die(turn, roll, place, faces)));
    const made = (marks: boolean[]) =>
      marks.map((isKept, place) => (isKept ? before[place] : FACES[(fresh[place] ?? 0) - 1])).join("");
    const marks = Array.from(kept, (face) => face !== "_");
    if (roll) {
      const keep = line.keeps[roll - 1] ?? "";
      const found = checkKeep(keep, kept, before, made, shown, rolled);
      if (found) {
        const [wrong, right] = found === "placed" ? [placed, line] : [line, placed];
        const faces = ascending(kept.replaceAll("_", "")) || "-";
        const [said, given] = found === "placed" ? [faces, keep] : [keep, faces];
        const numbers = found === "both" ? both : [wrong.number];
        const supported = found === "both" ? null : right.number;
        return { count, problems: [problem("keep", said, given, numbers, turn, roll, supported)] };
      }
    }
    count += marks.filter((isKept) => !isKept).length;
    before = made(marks);
    const problems = checkDice(turn, roll, line, placed, before);
    if (problems.length) return { count, problems };
  }
  return { count, problems: [] };
}

/**
 * Which line does not say what was kept of the dice before a roll: that of the turn, that in places, or both if the dice
 * do not tell; null if the lines agree.
 */
function checkKeep(keep: string, kept: string, before: string, made: (marks: boolean[]) => string, shown: string, rolled: string): "line" | "placed" | "both" | null {
  const isPossible = [...kept].every((face, place) => face === "_" || face === before[place]);
  if (isPossible && keep === (ascending(kept.replaceAll("_", "")) || "-")) return null;
  const isPlaced = isPossible && made(Array.from(kept, (face) => face !== "_")) === rolled;
  // Whichever of equal dice were kept.
  const isLine = choices(before.length).some(
    (marks) =>
      (ascending([...before].filter((_, place) => marks[place]).join("")) || "-") === keep && ascending(made(marks)) === shown,
  );
  if (isPlaced === isLine) return "both";
  return isPlaced ? "line" : "placed";
}

/** Every way to keep some of the dice. */
function choices(dice: number): boolean[][] {
  return Array.from({ length: 2 ** dice }, (_, bits) => Array.from({ length: dice }, (_, place) => ((bits >> place) & 1) === 1));
}

/** The dice of a roll that are not those of the secret, first those of the turn's line. */
function checkDice(turn: number, roll: number, line: TurnLine, placed: TurnLine, made: string): Problem[] {
  const [shown = "", rolled = ""] = [line.rolls[roll], placed.rolls[roll]];
  const inPlaces = [...rolled].flatMap((face, place) => (face === made[place] ? [] : [[face, made[place] ?? ""] as const]));
  const missing = without(made, shown);
  const inLine = without(shown, made).map((face, index) => [face, missing[index] ?? ""] as const);
  const die = (pairs: (readonly [string, string])[], lines: number[], supported: number | null) =>
    pairs.map(([said, given]) => problem("die", said, given, lines, turn, roll, supported));
  if (shown === ascending(rolled)) {
    return inLine.length ? die(inPlaces, [line.number, placed.number], null) : die(inPlaces, [placed.number], line.number);
  }
  return [
    ...die(inLine, [line.number], inPlaces.length ? null : placed.number),
    ...die(inPlaces, [placed.number], inLine.length ? null : line.number),
  ];
}

function problem(kind: Problem["kind"], shown: string, made: string, lines: number[], turn: number | null = null, roll: number | null = null, supported: number | null = null): Problem {
  return { kind, lines, shown, made, turn, roll, supported };
}

/** The lines of a record. Throws an `UncheckableError` that names the line which is not of the documented form. */
export function readLines(text: string): RecordLines {
  if ([...text].length > MAX_CHARACTERS) throw new UncheckableError("form", 1, `${MAX_CHARACTERS} characters at most`);
  const reader = new Reader(text);
  reader.take("", (line) => line === TITLE, TITLE);
  const header: Record<string, string> = {};
  for (const key of HEADER) {
    const isGood = (value: string) =>
      key !== "first" || (whole(SEAT).test(value) && Number(value) < kindsOf(header.seats ?? "").length);
    header[key] = reader.take(`${key}: `, (value) => value !== "" && isGood(value), `${key}: …`);
  }
  const kinds = kindsOf(header.seats ?? "");
  const turns = [];
  const isReal = REAL.test(reader.line());
  if (isReal) reader.take("", () => true, "");
  reader.skipsBlank = true;
  while (!reader.ended() && !reader.is("proof:")) {
    const line = readTurn(reader);
    if (line.rolls.length) turns.push(line);
  }
  const proof = reader.ended() ? null : readProof(reader, kinds, turns.length);
  return { kinds, first: Number(header.first), isReal, turns, proof };
}

function readTurn(reader: Reader): TurnLine {
  const number = reader.number();
  const want = "0: 13345, keep 33, 23356, score threes = 6";
  const line = reader.take("", (text) => TURN.test(text) && diceOf(text).every((dice) => dice === ascending(dice)), want);
  const steps = (TURN.exec(line)?.[1] ?? "").split(", ").filter((step) => step && step !== "-" && !step.startsWith("announce "));
  return {
    number,
    rolls: steps.filter((step) => !step.startsWith("keep ")),
    keeps: steps.filter((step) => step.startsWith("keep ")).map((step) => step.slice("keep ".length)),
  };
}

/** The rolls and keeps in the line of a turn. */
function diceOf(line: string): string[] {
  const steps = (TURN.exec(line)?.[1] ?? "").split(", ");
  return steps.filter((step) => !step.startsWith("announce ")).map((step) => step.replace("keep ", ""));
}

function readProof(reader: Reader, kinds: string[], numTurns: number): Proof {
  reader.take("", (line) => line === "proof:", "proof:");
  reader.take("scheme: ", (value) => value === SCHEME, `scheme: ${SCHEME}`);
  const table = reader.take("table: ", (value) => TABLE.test(value), "table: k7Qm2x");
  const numbers = { commitment: reader.number(), secret: 0 };
  const committed = reader.take("commitment: ", (value) => HEX.test(value), "commitment: 0123…cdef (64 × 0-9 a-f)");
  const faces = Number(reader.take("faces: ", (value) => NUM_FACES.test(value), "faces: 6 (1–20)"));
  const source = reader.has("source: ") ? reader.take("source: ", (value) => value === BROWSER, `source: ${BROWSER}`) : "";
  const opening = reader.has("opening: ")
    ? reader.take("opening: ", (value) => OPENING.test(value), "opening: first / random / highest_roll")
    : "";
  const nonces: string[] = [];
  const isNonce = (value: string) => {
    const [, who, number] = NONCE.exec(value) ?? [];
    return nonces.length < MAX_NONCES && (who === "watcher" || (who === "seat" && Number(number) < kinds.length));
  };
  while (reader.has("nonce: ")) nonces.push(reader.take("nonce: ", isNonce, "nonce: seat 0 5f3a"));
  if (reader.has("secret: ")) numbers.secret = reader.number();
  const secret = reader.has("secret: ")
    ? bytes(reader.take("secret: ", (value) => HEX.test(value), "secret: 0123…cdef (64 × 0-9 a-f)"))
    : null;
  const undone: Undone[] = [];
  while (reader.has("undone: ")) {
    const value = reader.take("undone: ", (text) => parseUndone(text, kinds, numTurns) !== null, "undone: turn 4, score threes");
    undone.push(...[parseUndone(value, kinds, numTurns)].filter((one) => one !== null));
  }
  const isHelp = (value: string) => parseHelp(value, kinds) !== null;
  const help = reader.has("help: ")
    ? parseHelp(reader.take("help: ", isHelp, "help: tutor, seat 0 asked 3 changed 2"), kinds)
    : null;
  const turns: TurnLine[] = [];
  while (reader.has(`turn ${turns.length}: `)) {
    const number = reader.number();
    const steps = reader
      .take(`turn ${turns.length}: `, (value) => PLACES.test(value), `turn ${turns.length}: 31435, keep 3__3_, 36332`)
      .split(", ");
    const rolls = steps.filter((_, index) => index % 2 === 0);
    const keeps = steps.filter((_, index) => index % 2 === 1).map((step) => step.slice("keep ".length));
    turns.push({ number, rolls, keeps });
  }
  if (!reader.ended()) reader.refuse(`turn ${turns.length}: …`);
  return { table, commitment: committed, faces, source, opening, nonces, secret, undone, help, turns, numbers };
}

/** An action that was taken back; null if the text is not one. */
function parseUndone(text: string, kinds: string[], numTurns: number): Undone | null {
  const [, turn, action, since = ""] = UNDONE.exec(text) ?? [];
  const rolled = Array.from(since.matchAll(/[0-9]+/g), ([seat]) => Number(seat));
  const isAscending = rolled.every((seat, index) => index === 0 || seat > (rolled[index - 1] ?? 0));
  if (!action || Number(turn) >= numTurns || !isAscending || rolled.some((seat) => seat >= kinds.length)) return null;
  return { turn: Number(turn), action, rolled, foreseen: rolled.some((seat) => kinds[seat] === "human") };
}

/** The help that was used; null if the text does not say it. */
function parseHelp(text: string, kinds: string[]): UsedHelp | null {
  const found = HELP.exec(text);
  if (!found) return null;
  const questions = Array.from((found[2] ?? "").matchAll(/seat ([0-9]+) asked ([0-9]+) changed ([0-9]+)/g), (one) => {
    const [seat = 0, asked = 0, changed = 0] = one.slice(1).map(Number);
    return { seat, asked, changed };
  });
  const isGood = questions.every(
    ({ seat, asked, changed }, index) =>
      seat < kinds.length && changed <= asked && (index === 0 || seat > (questions[index - 1]?.seat ?? 0)),
  );
  const kind = found[1] as UsedHelp["kind"];
  return isGood ? { kind, questions } : null;
}

/** Reads lines in order, up to the line `rules:`, and checks that each is the expected one. */
class Reader {
  private readonly lines: string[];
  private next = 0;
  skipsBlank = false;

  constructor(text: string) {
    const lines = text.replaceAll("\r\n", "\n").replace(/\n$/, "").split("\n");
    this.lines = lines.map((line) => line.replace(/^[ \t]+|[ \t]+$/g, ""));
  }

  /** The number of the next line, from 1. */
  number(): number {
    while (this.skipsBlank && this.lines[this.next] === "") this.next += 1;
    return this.next + 1;
  }

  /** The next line, empty after the last. */
  line(): string {
    return this.lines[this.number() - 1] ?? "";
  }

  ended(): boolean {
    return this.number() > this.lines.length || (this.skipsBlank && this.line() === "rules:");
  }

  is(line: string): boolean {
    return this.line() === line;
  }

  has(start: string): boolean {
    return !this.ended() && this.line().startsWith(start);
  }

  /** Returns the rest of the next line, which must begin with `start` and satisfy `isGood`. */
  take(start: string, isGood: (rest: string) => boolean, want: string): string {
    const rest = this.line().slice(start.length);
    if (!this.has(start) || !isGood(rest)) this.refuse(want);
    this.next += 1;
    return rest;
  }

  refuse(want: string): never {
    throw new UncheckableError("form", this.number(), want);
  }
}

/** The kinds of players by seat. A name in quotes may contain any characters; quotes are part of a name if there is no colon. */
function kindsOf(seats: string): string[] {
  const bare = seats.includes(":") ? seats.replace(/"(?:[^"\\]|\\["\\])*"/g, "") : seats;
  return bare.split(",").map((seat) => seat.split(/[=:]/).at(-1) ?? "");
}

/** The number of the line of a key of the header. */
function lineOf(key: string): number {
  return HEADER.indexOf(key) + 2;
}

function ascending(dice: string): string {
  return [...dice].sort().join("");
}

/** The dice that are left after each of the others has removed an equal one. */
function without(dice: string, others: string): string[] {
  const left = [...others];
  return [...ascending(dice)].filter((die) => {
    const index = left.indexOf(die);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

function whole(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}

function bytes(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) => parseInt(hex.slice(2 * index, 2 * index + 2), 16));
}

function webCrypto(): SubtleCrypto {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) throw new UncheckableError("no_crypto");
  return subtle;
}
