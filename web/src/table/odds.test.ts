import { expect, test } from "vitest";
import { oddsWords } from "./odds";

const seats = [0.1, 0.4, 0.3, 0.2].map((chance, seat) => ({ seat, chance, name: `p${seat}` }));

test("up to three seats are all named, in their order", () => {
  expect(oddsWords(seats.slice(0, 3), 0).map((one) => [one.name, one.isLeader])).toEqual([["p0", false], ["p1", false], ["p2", false]]);
});

test("of more seats, the one ahead and the user's own are named", () => {
  expect(oddsWords(seats, 0).map((one) => [one.name, one.isLeader])).toEqual([["p1", true], ["p0", false]]);
  expect(oddsWords(seats, 1).map((one) => [one.name, one.isLeader])).toEqual([["p1", false]]);
  expect(oddsWords(seats, undefined).map((one) => one.name)).toEqual(["p1"]);
});
