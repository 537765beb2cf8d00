import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.doUnmock("./store");
  vi.doUnmock("./manifest");
});

test("a game that the server refuses, of a device whose clock was ahead, holds up neither others nor answers", async () => {
  const sent: string[] = [];
  vi.doMock("./manifest", () => ({}));
  vi.doMock("./store", () => ({
    games: () => Promise.resolve([]),
    records: () => Promise.resolve(["tomorrow", "today"].map((text) => ({ table: text, text, isSent: false }))),
    markSent: (record: { text: string }) => Promise.resolve(sent.push(record.text)),
    answers: () => Promise.resolve(["answered tomorrow", "answered today"].map((line) => ({ line, body: { line }, isSent: false }))),
    storeAnswer: ({ line }: { line: string }) => Promise.resolve(sent.push(line)),
  }));
  vi.stubGlobal("fetch", (path: string, { body }: { body: string }) => {
    const [status, code] = path.endsWith("records") ? [400, "malformed"] : [404, "unknown"];
    return Promise.resolve(body.includes("tomorrow") ? Response.json({ error: "refused", code }, { status }) : Response.json({}));
  });
  await (await import("./reading")).sendHome();
  expect(sent).toEqual(["today", "answered today"]);
});
