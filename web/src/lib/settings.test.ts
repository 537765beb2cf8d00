import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** The settings of a tab of this browser. */
async function tab(): Promise<typeof import("./settings.svelte")> {
  vi.resetModules();
  return import("./settings.svelte");
}

test("a tab that changes a setting keeps what another tab has changed since it was opened", async () => {
  const stored = new Map<string, string>();
  vi.stubGlobal("localStorage", { getItem: (key: string) => stored.get(key) ?? null, setItem: (key: string, value: string) => stored.set(key, value) });
  const [table, first] = [await tab(), await tab()];
  first.change({ dailyHour: 19, putAway: ["a-table"] });
  table.change({ sound: true });
  table.change(({ putAway }) => ({ putAway: [...putAway, "another"] }));
  expect((await tab()).settings).toMatchObject({ dailyHour: 19, putAway: ["a-table", "another"], sound: true });
});
