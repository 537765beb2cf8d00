import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Answer, Command, SocketMessage } from "../lib/api";
import { Connection, type ConnectionState } from "../local/connection";
import { live } from "../local/live";
import { Outbox } from "./outbox";

const ACCEPTED: Answer = { type: "accepted", id: "a-command", version: 2 };
const ROLL: Command = { type: "roll", id: "a-command", version: 1, seat: 0, kept: [], anyway: false };

/** How long the page may take, in milliseconds of the fake clock. */
const PATIENCE = 30_000;

/** A socket that never opens. */
class NoSocket {
  static readonly OPEN = 1;
  readyState = 3;
  onclose: (() => void) | undefined;
  constructor() {
    setTimeout(() => this.onclose?.());
  }
  close(): void {}
}

/** A stream that opens at once. */
class Stream {
  static readonly OPEN = 1;
  readyState = 1;
  onopen: (() => void) | undefined;
  readonly addEventListener = vi.fn((_: string, heard: () => void) => (this.pong = heard));
  pong: (() => void) | undefined;
  constructor() {
    newest = this;
    setTimeout(() => this.onopen?.());
  }
  close(): void {}
}
let newest: Stream | undefined;

beforeEach(() => {
  vi.useFakeTimers();
  const target = { addEventListener: vi.fn(), removeEventListener: vi.fn() };
  vi.stubGlobal("window", target);
  vi.stubGlobal("document", { ...target, visibilityState: "visible" });
  vi.stubGlobal("location", { origin: "http://here" });
  vi.stubGlobal("WebSocket", NoSocket);
  vi.stubGlobal("EventSource", Stream);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test.each([
  ["too many requests", () => Response.json({ error: "too many requests" }, { status: 429 })],
  ["a proxy's page", () => new Response("<h1>502 Bad Gateway</h1>", { status: 502 })],
  ["no network", () => Promise.reject(new TypeError("Failed to fetch"))],
])("over a stream, a command without a decision is sent again: %s", async (_, refuse) => {
  const fetching = vi.fn().mockImplementationOnce(refuse).mockImplementation(() => Response.json(ACCEPTED));
  vi.stubGlobal("fetch", fetching);
  const states: ConnectionState[] = [];
  const connection = new Connection("table", {
    version: () => 1,
    receive: (message: SocketMessage) => message.type === "answer" && outbox.answered(message.answer),
    changed: (state) => {
      states.push(state);
      if (state === "live") outbox.again();
    },
  });
  const outbox = new Outbox((command) => connection.send(command), vi.fn());
  await vi.waitUntil(() => states.at(-1) === "live", PATIENCE);
  const answer = outbox.put(ROLL);
  await vi.waitUntil(() => fetching.mock.calls.length === 2, PATIENCE);
  expect(await answer).toEqual(ACCEPTED);
  expect(fetching.mock.calls[0]).toEqual(fetching.mock.calls[1]);
  connection.close();
});

test("a silent stream is closed, and one with pongs stays open", async () => {
  const states: ConnectionState[] = [];
  const connection = new Connection("table", { version: () => 1, receive: () => undefined, changed: (state) => states.push(state) });
  await vi.waitUntil(() => states.at(-1) === "live", PATIENCE);
  const stream = newest;
  for (let seconds = 0; seconds < 120; seconds += 15) {
    await vi.advanceTimersByTimeAsync(15_000);
    stream?.pong?.();
  }
  expect(states.at(-1)).toBe("live");
  const before = states.length;
  await vi.advanceTimersByTimeAsync(40_000);
  expect(states.slice(before)).toContain("away");
  expect(newest).not.toBe(stream);
  connection.close();
});

test("after two seconds without an answer the server is asked, and then a socket that is only half open is left", async () => {
  const sent: string[][] = [];
  const opened: HalfOpen[] = [];
  class HalfOpen {
    static readonly OPEN = 1;
    readyState = 1;
    onopen: (() => void) | undefined;
    onmessage: ((event: { data: string }) => void) | undefined;
    sent: string[] = [];
    constructor() {
      opened.push(this);
      sent.push(this.sent);
      setTimeout(() => this.onopen?.());
    }
    send(text: string): void {
      this.sent.push((JSON.parse(text) as { type: string }).type);
    }
    close(): void {}
  }
  vi.stubGlobal("WebSocket", HalfOpen);
  const states: ConnectionState[] = [];
  const connection = new Connection("table", { version: () => 1, receive: () => undefined, changed: (state) => states.push(state) });
  await vi.advanceTimersByTimeAsync(1);
  connection.send(ROLL);
  await vi.advanceTimersByTimeAsync(2_001);
  expect([sent[0], states.at(-1)]).toEqual([["roll", "ping"], "asking"]);
  opened[0]?.onmessage?.({ data: '{"type":"pong"}' });
  expect(states.at(-1)).toBe("live"); // it was only slow
  await vi.advanceTimersByTimeAsync(1);
  connection.send(ROLL);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(states).toContain("away");
  expect([opened.length, states.at(-1)]).toEqual([2, "live"]);
  // On becoming visible, it is asked at once.
  const [, visible] = vi.mocked(document.addEventListener).mock.calls.at(-1) as [string, () => void];
  visible();
  expect(sent[1]).toEqual(["ping"]);
  connection.close();
});

test("at a farewell the page connects again soon, and is not away", async () => {
  const opened: OpenSocket[] = [];
  class OpenSocket {
    static readonly OPEN = 1;
    readyState = 1;
    onopen: (() => void) | undefined;
    onmessage: ((event: { data: string }) => void) | undefined;
    constructor() {
      opened.push(this);
      setTimeout(() => this.onopen?.());
    }
    send(): void {}
    close(): void {}
  }
  vi.stubGlobal("WebSocket", OpenSocket);
  const states: ConnectionState[] = [];
  const connection = new Connection("table", { version: () => 1, receive: () => undefined, changed: (state) => states.push(state) });
  await vi.advanceTimersByTimeAsync(1);
  expect(states.at(-1)).toBe("live");
  opened[0]?.onmessage?.({ data: '{"type":"farewell"}' });
  expect(opened.length).toBe(1);
  await vi.advanceTimersByTimeAsync(501);
  expect(opened.length).toBe(2);
  expect(states.at(-1)).toBe("live");
  expect(states).not.toContain("away");
  connection.close();
});

test("a page follows a stream once it has the cookie with which its first command comes, too", async () => {
  const done: string[] = [];
  const ask = vi.fn().mockImplementationOnce(() => Response.json({ code: "no_cookie", error: "" }, { status: 401 })).mockImplementation(() => Response.json({ version: 1 }));
  vi.stubGlobal("fetch", (...given: unknown[]) => (done.push("asks"), Promise.resolve(ask(...given))));
  vi.stubGlobal("WebSocket", class extends NoSocket {
    constructor() {
      super();
      done.push("follows");
    }
  });
  const stop = live("club", "/api/clubs/club", () => done.push("shows"), () => done.push("fails"));
  await vi.waitFor(() => expect(done).toEqual(["asks", "asks", "follows", "shows"]));
  stop();
});
