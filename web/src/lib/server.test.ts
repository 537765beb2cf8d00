import { afterEach, expect, test, vi } from "vitest";
import { check, reportFailure, server } from "./server.svelte";

afterEach(() => vi.unstubAllGlobals());

function answers(...given: readonly (Response | undefined)[]): void {
  const left = [...given];
  vi.stubGlobal("fetch", () => {
    const answer = left.shift();
    return answer ? Promise.resolve(answer) : Promise.reject(new TypeError("no network"));
  });
}

test("one failed request is no lost connection if the server answers the next", async () => {
  answers(new Response("[]"));
  reportFailure();
  await vi.waitFor(() => expect(server.isReachable).toBe(true));
  expect(server.returns).toBe(0);
});

test("a server without an answer is lost until it answers without an error", async () => {
  vi.useFakeTimers();
  answers(undefined, new Response("", { status: 502 }), new Response("[]"));
  await check();
  expect(server.isReachable).toBe(false);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(server.isReachable).toBe(false);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(server).toMatchObject({ isReachable: true, returns: 1 });
  vi.useRealTimers();
});
