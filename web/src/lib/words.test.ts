import { beforeAll, expect, test, vi } from "vitest";
import { ApiError, type Refused } from "./api";
import { failureWords, refusalWords } from "./words";

beforeAll(() => {
  vi.stubGlobal("navigator", { languages: ["en-GB"] });
});

function refused(rest: Partial<Refused>): Refused {
  return { type: "refused", id: "a", version: 3, reason: "illegal", detail: "the server's sentence", ...rest };
}

test("a refusal with a code has a message of the page", () => {
  expect(refusalWords(refused({ code: "box_filled" }))).toEqual({ text: "This box is already filled." });
  expect(refusalWords(refused({ code: "still_acts", seconds: 11.2 }))).toEqual({ text: "This player still has 12 seconds." });
  expect(refusalWords(refused({ reason: "not_yours" }))).toEqual({ text: "This seat is not yours." });
});

test("a refusal without a code has the server's message, in English", () => {
  expect(refusalWords(refused({}))).toEqual({ text: "the server's sentence", lang: "en" });
  expect(refusalWords(refused({ code: null, reason: "malformed" }))).toEqual({ text: "the server's sentence", lang: "en" });
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
