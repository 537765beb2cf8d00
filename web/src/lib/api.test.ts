import { afterEach, expect, test, vi } from "vitest";
import { ApiError, get, isTemporary, post } from "./api";

afterEach(() => {
  vi.unstubAllGlobals();
});

function answers(...bodies: [number, object][]) {
  const fetched = vi.fn(() => {
    const [status, body] = bodies.shift() ?? [500, {}];
    return Promise.resolve(new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } }));
  });
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

const NO_COOKIE = { error: "this needs a cookie", code: "no_cookie" };

test("a request that needs a cookie is repeated once the answer has set it", async () => {
  const fetched = answers([401, NO_COOKIE], [200, { records: 1 }]);
  expect(await post("/api/me/records", { text: "a game" })).toEqual({ records: 1 });
  expect(fetched).toHaveBeenCalledTimes(2);
});

test("an answer that breaks off is a lost connection, after which a request is repeated", async () => {
  const broken = new ReadableStream({ start: (stream) => stream.error(new TypeError("network error")) });
  vi.stubGlobal("fetch", vi.fn().mockResolvedValueOnce(new Response(broken)).mockResolvedValue(new Response("[]"))); // the server is there
  const error: unknown = await get("/api/me").catch((cause: unknown) => cause);
  expect(isTemporary(error)).toBe(true);
});

test("a browser that keeps no cookies gets the error, and other errors are not repeated", async () => {
  const refusing = answers([401, NO_COOKIE], [401, NO_COOKIE], [200, {}]);
  await expect(post("/api/me/records", {})).rejects.toThrow("this needs a cookie");
  expect(refusing).toHaveBeenCalledTimes(2);
  const fetched = answers([400, { error: "malformed", code: "malformed" }]);
  await expect(post("/api/me/records", {})).rejects.toBeInstanceOf(ApiError);
  expect(fetched).toHaveBeenCalledTimes(1);
});
