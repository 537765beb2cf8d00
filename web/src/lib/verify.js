// Verifies the dice of a record with Web Crypto and without a server: a second implementation of docs/fair-dice.md, which
// specifies the dice. It does not know the rules of the game: `fivedice replay` checks the scores.

/** @typedef {import("./verify.d.ts").Proof} Proof */
/** @typedef {import("./verify.d.ts").PlacedRoll} PlacedRoll */

const SCHEME = "fivedice dice 1";
const TITLE = "fivedice record 1";
const HEADER = ["ruleset", "options", "digest", "seats", "first", "date", "result"];
const OPENINGS = ["first", "random", "highest_roll"];
const MAX_NONCES = 64;
const HEX = /^[0-9a-f]{64}$/;
const TABLE = /^[A-Za-z0-9_-]{1,64}$/;
const NONCE = /^(seat|watcher) (0|[1-9][0-9]{0,3}) [0-9a-f]{1,64}$/;
/** The character of each face, from 1 up. */
const FACES = "123456789abcdefghijk";
const PLACES = /^[1-9a-k]+(, keep [1-9a-k_]+, [1-9a-k]+)*$/;
const UNDONE = /^turn (0|[1-9][0-9]{0,5}), (score|scratch|announce) [a-z0-9_]{1,81}(, after rolls of seat [0-9]+(, seat [0-9]+)*)?$/;
const TURN = /^[0-9]+: [1-9a-k]+(, keep ([1-9a-k]+|-), [1-9a-k]+)*(, (score|scratch) [a-z0-9_]+ = [0-9]+( \+[0-9]+)?)?$/;

/** The record cannot be checked: it cannot be read, has no proof, or its secret is not revealed yet. */
export class UncheckableError extends Error {}

/**
 * Computes every die of a record again. Rejects with an `UncheckableError` if the record cannot be checked.
 * @param {string} text
 * @returns {Promise<import("./verify.d.ts").Verification>}
 */
export async function verifyRecord(text) {
  const proof = parseProof(text);
  if (proof.secret === null) {
    throw new UncheckableError(
      `the secret of table ${proof.table} is not revealed yet: it will be when the game ends or the table closes, ` +
        "no later than 30 days after its last action",
    );
  }
  const dice = await tableDice(proof.secret, proof.table, proof.nonces);
  const problems = [];
  const made = await commitment(proof.secret);
  if (made !== proof.commitment) problems.push(`the secret is not the one committed to: its SHA-256 is ${made}`);
  const first = await openingSeat(dice, proof);
  if (first !== proof.first) {
    problems.push(`the opening: seat ${proof.first} began, the secret makes it seat ${first}`);
  }
  const wrong = [];
  let count = 0;
  for (const [turn, rolls] of proof.turns.entries()) {
    for (const [roll, { faces, kept }] of rolls.entries()) {
      for (const [place, shown] of faces.entries()) {
        if (kept[place]) continue;
        count += 1;
        const face = await dice.die(turn, roll, place, proof.faces);
        if (face !== shown) wrong.push({ turn, roll, place, shown, made: face });
      }
    }
  }
  for (const { turn, roll, place, shown, made } of wrong) {
    problems.push(`turn ${turn}, roll ${roll}, die ${place}: the record shows ${shown}, the secret makes ${made}`);
  }
  const { table, nonces, undone } = proof;
  return { ok: problems.length === 0, table, commitment: proof.commitment, nonces, dice: count, undone, problems, wrong };
}

/**
 * The commitment to a secret: its SHA-256 as 64 hexadecimal digits.
 * @param {BufferSource} secret
 */
export async function commitment(secret) {
  const digest = new Uint8Array(await webCrypto().digest("SHA-256", secret));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * All the dice of a table. Turns, rolls and places are counted from 0.
 * @param {BufferSource} secret
 * @param {string} table
 * @param {string[]} nonces
 * @returns {Promise<import("./verify.d.ts").TableDice>}
 */
export async function tableDice(secret, table, nonces) {
  const key = await webCrypto().importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const before = [SCHEME, `table ${table}`, ...nonces.map((nonce) => `nonce ${nonce}`)];

  /** @param {string[]} place @param {number} faces */
  async function face(place, faces) {
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

/**
 * A face, 1 to `faces`, from the first byte below the greatest multiple of `faces` up to 256; null if there is none.
 * @param {Iterable<number>} bytes
 * @param {number} faces
 */
export function faceFrom(bytes, faces) {
  const limit = 256 - (256 % faces);
  for (const byte of bytes) {
    if (byte < limit) return (byte % faces) + 1;
  }
  return null;
}

/**
 * The seats of a record without the names in quotes, which may contain commas. Quotes are part of a name if there is no
 * colon.
 * @param {string} seats
 */
function withoutQuotes(seats) {
  return seats.includes(":") ? seats.replace(/"(?:[^"\\]|\\["\\])*"/g, "") : seats;
}

/**
 * The proof in a record. Throws an `UncheckableError` that names the line which cannot be read, or whose dice in their
 * places contradict the turns.
 * @param {string} text
 * @returns {Proof}
 */
export function parseProof(text) {
  const lines = text.split(/\r?\n/).map((line, index) => ({ number: index + 1, text: line.trim() }));
  const reader = new Reader(lines.filter((line) => line.text !== "" || line.number === 1));
  reader.take(TITLE, (rest) => rest === "", `a record begins with the line '${TITLE}'`);
  /** @type {Record<string, string>} */
  const header = {};
  for (const key of HEADER) {
    header[key] = reader.take(`${key}: `, (value) => key !== "first" || /^[0-9]{1,2}$/.test(value), `want '${key}: …'`);
  }
  const seats = withoutQuotes(header.seats).split(",").length;
  const first = Number(header.first);
  const turns = [];
  while (!reader.ended() && !reader.has("proof:") && !reader.has("rules:")) {
    turns.push(reader.take("", (line) => TURN.test(line), "want a turn").split(": ")[1]);
  }
  if (!reader.has("proof:")) throw new UncheckableError("the record carries no proof: its dice cannot be checked");
  reader.take("proof:", (rest) => rest === "", "want 'proof:'");

  reader.take("scheme: ", (value) => value === SCHEME, `want 'scheme: ${SCHEME}'`);
  const table = reader.take("table: ", (value) => TABLE.test(value), "want 'table: ' and its id");
  const committed = reader.take("commitment: ", (value) => HEX.test(value), "want 'commitment: ' and 64 digits 0-9 a-f");
  const faces = Number(reader.take("faces: ", (value) => /^([1-9]|1[0-9]|20)$/.test(value), "want 'faces: ' and 1 to 20"));
  const opening = reader.has("opening: ")
    ? reader.take("opening: ", (value) => OPENINGS.includes(value), `want 'opening: ' and one of ${OPENINGS.join(", ")}`)
    : "first";
  const nonces = [];
  while (reader.has("nonce: ")) {
    const isNonce = (/** @type {string} */ value) =>
      NONCE.test(value) && nonces.length < MAX_NONCES && (value.startsWith("watcher") || parseInt(value.slice(5)) < seats);
    nonces.push(reader.take("nonce: ", isNonce, `want 'seat N HEX' or 'watcher N HEX', ${MAX_NONCES} times at most`));
  }
  const secret = reader.has("secret: ")
    ? bytes(reader.take("secret: ", (value) => HEX.test(value), "want 'secret: ' and 64 digits 0-9 a-f"))
    : null;
  const undone = [];
  while (reader.has("undone: ")) {
    const text = reader.take("undone: ", (value) => isUndone(value, turns.length), "want 'undone: ' and an undone turn");
    undone.push(parseUndone(text, header.seats));
  }
  const placed = turns.map((turn, index) => {
    const isOfTurn = (/** @type {string} */ value) => PLACES.test(value) && agrees(value, turn, faces);
    const want = `want 'turn ${index}: ' and the dice of '${turn}' in their places`;
    return parsePlaces(reader.take(`turn ${index}: `, isOfTurn, want));
  });
  if (!reader.ended() && !reader.has("rules:")) reader.refuse("this stands after the end of the proof");
  return { table, commitment: committed, faces, opening, nonces, secret, undone, seats, first, turns: placed };
}

/**
 * @param {string} text as in `turn 4, score threes, after rolls of seat 1, seat 2`
 * @param {number} turns
 */
function isUndone(text, turns) {
  return UNDONE.test(text) && parseInt(text.slice("turn ".length)) < turns;
}

/**
 * @param {string} text
 * @param {string} seats
 * @returns {import("./verify.d.ts").Undone}
 */
function parseUndone(text, seats) {
  const kinds = withoutQuotes(seats)
    .split(",")
    .map((seat) => seat.split(/[=:]/).at(-1));
  const [turn, action, ...after] = text.split(", ");
  const rolled = after.map((seat) => Number(seat.split(" ").at(-1)));
  const foreseen = rolled.some((seat) => kinds[seat] === "human");
  return { turn: Number(turn.slice("turn ".length)), action, rolled, foreseen };
}

/** Reads lines in order, and checks that each is the expected one. */
class Reader {
  /** @param {{number: number, text: string}[]} lines */
  constructor(lines) {
    this.lines = lines;
    this.next = 0;
  }

  ended() {
    return this.next === this.lines.length;
  }

  /** @param {string} start */
  has(start) {
    return !this.ended() && this.lines[this.next].text.startsWith(start);
  }

  /**
   * Returns the rest of the next line, which must begin with `start` and satisfy `isGood`.
   * @param {string} start
   * @param {(rest: string) => boolean} isGood
   * @param {string} want
   */
  take(start, isGood, want) {
    if (!this.has(start) || !isGood(this.lines[this.next].text.slice(start.length))) this.refuse(want);
    return this.lines[this.next++].text.slice(start.length);
  }

  /**
   * @param {string} want
   * @returns {never}
   */
  refuse(want) {
    const where = this.ended() ? "at the end of the record" : `line ${this.lines[this.next].number}`;
    throw new UncheckableError(`${where}: ${want}`);
  }
}

/**
 * Whether dice in their places match the rolls and keeps of a turn, and no kept die changed.
 * @param {string} places as in `31435, keep 3__3_, 36332`
 * @param {string} turn as in `13345, keep 33, 23336, score threes = 9`
 * @param {number} faces
 */
function agrees(places, turn, faces) {
  const steps = places.split(", ");
  const played = turn.split(", ").filter((step) => !/^(score|scratch) /.test(step));
  if (steps.length !== played.length) return false;
  return steps.every((step, index) => {
    if (index % 2 === 0) {
      const isShown = [...step].every((die) => faceOf(die) <= faces);
      return isShown && step.length === steps[0].length && sorted(step) === played[index];
    }
    const kept = step.slice("keep ".length);
    const stays = [...kept].every(
      (mark, place) => mark === "_" || (mark === steps[index - 1][place] && mark === steps[index + 1][place]),
    );
    const keep = `keep ${sorted(kept.replaceAll("_", "")) || "-"}`;
    return stays && kept.length === steps[0].length && keep === played[index];
  });
}

/**
 * @param {string} text
 * @returns {PlacedRoll[]}
 */
function parsePlaces(text) {
  const steps = text.split(", ");
  return steps
    .filter((_, index) => index % 2 === 0)
    .map((roll, index) => ({
      faces: Array.from(roll, faceOf),
      kept: Array.from(roll, (_, place) => index > 0 && steps[2 * index - 1]["keep ".length + place] !== "_"),
    }));
}

/**
 * The seat that begins: if chance chose it, the one that the opening's dice give.
 * @param {import("./verify.d.ts").TableDice} dice
 * @param {Proof} proof
 */
async function openingSeat(dice, proof) {
  const roll = dice.opening();
  if (proof.opening === "random") return (await roll(proof.seats)) - 1;
  if (proof.opening === "first" || proof.turns.length === 0) return proof.first;
  let tied = Array.from({ length: proof.seats }, (_, seat) => seat);
  while (tied.length > 1) {
    /** @type {number[]} */
    const totals = [];
    for (const _ of tied) {
      let total = 0;
      for (let die = 0; die < proof.turns[0][0].faces.length; die += 1) total += await roll(proof.faces);
      totals.push(total);
    }
    tied = tied.filter((_, index) => totals[index] === Math.max(...totals));
  }
  return tied[0];
}

/** @param {string} digits */
function sorted(digits) {
  return [...digits].sort().join("");
}

/** @param {string} hex */
function bytes(hex) {
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) => parseInt(hex.slice(2 * index, 2 * index + 2), 16));
}

function webCrypto() {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) throw new UncheckableError("this browser offers no Web Crypto here: open the page over https");
  return subtle;
}

/** @param {string} character */
function faceOf(character) {
  return FACES.indexOf(character) + 1;
}
