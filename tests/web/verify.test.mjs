// Test the browser's verifier with the golden vectors and the record in docs/fair-dice.md. pytest runs this file; so does
// node --test tests/web/

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { UncheckableError, commitment, faceFrom, readLines, tableDice, verifyRecord } from "./verifier.mjs";

const page = readFileSync(new URL("../../docs/fair-dice.md", import.meta.url), "utf8");
const vectors = [...page.matchAll(/```json\n(.*?)```/gs)].flatMap((block) => JSON.parse(block[1]));
const record = page.slice(page.indexOf("fivedice record 1")).split("```")[0];

test("every golden vector is reproduced", async () => {
  assert.equal(vectors.length, 2);
  for (const vector of vectors) {
    const secret = Uint8Array.from(Buffer.from(vector.secret, "hex"));
    assert.equal(await commitment(secret), vector.commitment);
    const dice = await tableDice(secret, vector.table, vector.nonces);
    for (const [turn, roll, faces, expected] of vector.rolls) {
      const made = await Promise.all(expected.map((_, place) => dice.die(turn, roll, place, faces)));
      assert.deepEqual(made, expected);
    }
    const opening = dice.opening();
    for (const [sides, face] of vector.opening) assert.equal(await opening(sides), face);
  }
});

test("every face results from the same number of bytes", () => {
  for (let faces = 1; faces <= 12; faces += 1) {
    const made = new Array(faces).fill(0);
    let rejected = 0;
    for (let byte = 0; byte < 256; byte += 1) {
      const face = faceFrom([byte], faces);
      if (face === null) rejected += 1;
      else made[face - 1] += 1;
    }
    assert.deepEqual(made, new Array(faces).fill(Math.floor(256 / faces)));
    assert.equal(rejected, 256 % faces);
  }
});

test("a rejected byte is followed by the next one", () => {
  assert.equal(faceFrom([255, 252, 7], 6), 2);
  assert.equal(faceFrom(new Array(32).fill(255), 6), null);
});

test("the record in the document matches its secret", async () => {
  const result = await verifyRecord(record);
  assert.deepEqual([result.ok, result.dice, result.problems], [true, 31, []]);
  assert.deepEqual(readLines(record).proof.turns[1], {
    number: 25,
    rolls: ["23652", "33651", "34651"],
    keeps: ["_365_", "3_65_"],
  });
});

function isUncheckable(kind, line, want) {
  return (error) => error instanceof UncheckableError && error.kind === kind && error.line === line && want.test(error.want);
}

test("a record without a proof or a secret cannot be checked", async () => {
  await assert.rejects(verifyRecord(record.split("\nproof:")[0]), isUncheckable("no_proof", 0, /^$/));
  await assert.rejects(verifyRecord(record.replace(/ {2}secret: .*\n/, "")), isUncheckable("no_secret", 0, /^$/));
});

test("an error names the line", async () => {
  await assert.rejects(verifyRecord("something else"), isUncheckable("form", 1, /^fivedice record 1$/));
  await assert.rejects(verifyRecord(record.replace("turn 1: 23652", "turn 1: 2365x")), isUncheckable("form", 25, /^turn 1: /));
});

test("commas in quotes separate no seats, and quotes without a colon are part of names", () => {
  for (const [seats, kinds] of [
    ['"Ann, the 1st":human,"B\\\\":human', ["human", "human"]],
    ['"Ann, \\"a,b\\"":human,greedy', ["human", "greedy"]],
    ['"Ann=human,Ben"=human', ["human", "human"]],
    ["Ann=human,greedy,random", ["human", "greedy", "random"]],
  ]) assert.deepEqual(readLines(record.replace(/seats: .*/, () => `seats: ${seats}`)).kinds, kinds);
});
