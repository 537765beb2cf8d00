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

export class UncheckableError extends Error {
  constructor(kind: Uncheckable, line?: number, want?: string);
  readonly kind: Uncheckable;
  readonly line: number;
  readonly want: string;
}

export function isRecord(text: string): boolean;
export function verifyRecord(text: string): Promise<Verification>;
export function readLines(text: string): RecordLines;
export function commitment(secret: BufferSource): Promise<string>;
export function tableDice(secret: BufferSource, table: string, nonces: string[]): Promise<TableDice>;
export function faceFrom(bytes: Iterable<number>, faces: number): number | null;
