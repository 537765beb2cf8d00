import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { answerBy, ApiError } from "../lib/api";
import { LiveTable } from "./liveTable.svelte";

/** A socket that opens when the test says so. */
class Socket {
  static readonly OPEN = 1;
  readyState = 1;
  onopen: (() => void) | undefined;
  onmessage: ((event: { data: string }) => void) | undefined;
  constructor() {
    newest = this;
  }
  send(): void {}
  close(): void {}
}
let newest: Socket | undefined;

/** An update of a table of version 2, to a browser with these seats. */
function update(yours: readonly number[]): string {
  const view = { version: 2, state: "playing", line: "", seats: [], can_undo: [], last: null };
  return JSON.stringify({ type: "update", status: "snapshot", events: [], view, yours, here: [], now: 0, can_close: false, rules: {} });
}

beforeEach(() => {
  vi.useFakeTimers();
  const target = { addEventListener: vi.fn(), removeEventListener: vi.fn() };
  vi.stubGlobal("window", target);
  vi.stubGlobal("document", { ...target, visibilityState: "visible" });
  vi.stubGlobal("location", { origin: "http://here" });
  vi.stubGlobal("navigator", { languages: [] });
  vi.stubGlobal("WebSocket", Socket);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("a slow answer from before a seat was claimed does not take the seat away again", async () => {
  let arrives: (text: string) => void = () => undefined;
  const text = new Promise<string>((resolve) => (arrives = resolve));
  vi.stubGlobal("fetch", () => Promise.resolve({ ok: true, headers: new Headers({ "content-type": "application/json" }), text: () => text }));
  const live = new LiveTable("a-table", () => undefined);
  live.reconnect(); // the seat was claimed
  newest?.onopen?.();
  newest?.onmessage?.({ data: update([0]) });
  expect(live.yours).toEqual([0]);
  arrives(update([]));
  await vi.advanceTimersByTimeAsync(1);
  expect(live.yours).toEqual([0]);
  live.close();
});

test("a table of this browser says why it cannot be shown, since no connection tries again", async () => {
  const request = (): Promise<never> => Promise.reject(new ApiError(500, "Python cannot be started", "mistake"));
  vi.doMock("../local/transport", () => ({ follow: request }));
  answerBy({ request, noteReply: () => undefined });
  const live = new LiveTable("local-1", () => undefined);
  await vi.waitUntil(() => live.loadError?.text);
  vi.doUnmock("../local/transport");
});
