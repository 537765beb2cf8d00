/** A roll: the faces in place order, and which dice were kept from the roll before. */
export interface PlacedRoll {
  faces: number[];
  kept: boolean[];
}

/** The proof in a record, to check its dice; `secret` is null until it is revealed. */
export interface Proof {
  table: string;
  commitment: string;
  faces: number;
  opening: string;
  nonces: string[];
  secret: BufferSource | null;
  undone: Undone[];
  seats: number;
  first: number;
  turns: PlacedRoll[][];
}

/** An action that was taken back; `rolled` are the seats that had rolled since, `foreseen` if one is a person's. */
export interface Undone {
  turn: number;
  action: string;
  rolled: number[];
  foreseen: boolean;
}

/** A die that differs from the one that the secret gives; turn, roll and place are counted from 0. */
export interface WrongDie {
  turn: number;
  roll: number;
  place: number;
  shown: number;
  made: number;
}

/** The result of a check: `dice` is the number of dice checked, `problems` has a sentence for each difference. */
export interface Verification {
  ok: boolean;
  table: string;
  commitment: string;
  nonces: string[];
  dice: number;
  undone: Undone[];
  problems: string[];
  wrong: WrongDie[];
}

/** All the dice of a table; `opening` gives the dice that decide who begins, one by one. */
export interface TableDice {
  die(turn: number, roll: number, place: number, faces: number): Promise<number>;
  opening(): (sides: number) => Promise<number>;
}

export class UncheckableError extends Error {}

export function verifyRecord(text: string): Promise<Verification>;
export function parseProof(text: string): Proof;
export function commitment(secret: BufferSource): Promise<string>;
export function tableDice(secret: BufferSource, table: string, nonces: string[]): Promise<TableDice>;
export function faceFrom(bytes: Iterable<number>, faces: number): number | null;
