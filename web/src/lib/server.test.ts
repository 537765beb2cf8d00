import { afterEach, expect, test, vi } from "vitest";
import { check, notePage, reloadIfOther, reportFailure, server } from "./server.svelte";

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

test("a page that another version of the server sees is loaded again, but only once a minute", () => {
  vi.useFakeTimers();
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });
  const reload = vi.fn();
  vi.stubGlobal("location", { reload });
  const from = (page: string): Response => new Response("", { headers: page ? { "fivedice-page": page } : {} });
  notePage(from("index-own.js"), "index-own.js");
  expect(reloadIfOther()).toBe(false);
  notePage(from("index-other.js"), "index-own.js");
  notePage(from(""), "index-own.js"); // a proxy's answer says nothing
  expect(reloadIfOther()).toBe(true);
  expect(reloadIfOther()).toBe(false);
  vi.advanceTimersByTime(60_000);
  expect(reloadIfOther()).toBe(true);
  expect(reload).toHaveBeenCalledTimes(2);
  notePage(from("index-own.js"), "index-own.js"); // the other version is gone
  vi.advanceTimersByTime(60_000);
  expect(reloadIfOther()).toBe(false);
  vi.useRealTimers();
});
