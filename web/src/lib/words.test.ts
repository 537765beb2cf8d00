import { beforeAll, expect, test, vi } from "vitest";
import { ApiError, type Refused } from "./api";
import { failureWords, isSentAgain, refusalWords } from "./words";

beforeAll(() => {
  vi.stubGlobal("navigator", { languages: ["en-GB"] });
});

function refused(rest: Partial<Refused>): Refused {
  return { type: "refused", id: "a", version: 3, reason: "illegal", detail: "the server's sentence", ...rest };
}

test("a refusal with a code has a message of the page", () => {
  expect(refusalWords(refused({ code: "box_filled" }))).toEqual({ text: "This box is already filled." });
  expect(refusalWords(refused({ reason: "not_yours" }))).toEqual({ text: "This seat is not yours." });
});

test("a refusal without a code has the server's message, in English", () => {
  expect(refusalWords(refused({}))).toEqual({ text: "the server's sentence", lang: "en" });
  expect(refusalWords(refused({ code: null, reason: "malformed" }))).toEqual({ text: "the server's sentence", lang: "en" });
});

test("a command is sent again when the wait is short, and refused with the time when it is long", () => {
  expect(isSentAgain(refused({ reason: "unavailable" }))).toBe(true);
  expect(isSentAgain(refused({ reason: "too_fast", seconds: 0.4 }))).toBe(true);
  const tomorrow = refused({ reason: "too_fast", seconds: 80_000 });
  expect(isSentAgain(tomorrow)).toBe(false);
  expect(isSentAgain(refused({ reason: "stale" }))).toBe(false);
  expect(refusalWords(tomorrow)).toEqual({ text: "Too many requests: try again in 23 hours." });
  expect(refusalWords(refused({ reason: "too_fast", seconds: 200 }))).toEqual({
    text: "Too many requests: try again in 4 minutes.",
  });
});

test("a failed request has the message of its code, which the caller can override", () => {
  const unknown = new ApiError(404, "there is no table 'x'", "unknown");
  expect(failureWords(unknown)).toEqual({ text: "there is no table 'x'", lang: "en" });
  expect(failureWords(unknown, { unknown: "noTable" })).toEqual({ text: "There is no such table." });
  expect(failureWords(new ApiError(400, "seat 0: Ann sits here already", "name_taken")).lang).toBeUndefined();
  expect(failureWords(new ApiError(429, "too many work", "too_fast", 1))).toEqual({
    text: "Too many requests: try again in 1 second.",
  });
  expect(failureWords(new ApiError(0, "fetch failed"))).toEqual({
    text: "The server cannot be reached. Try again in a moment.",
  });
});
