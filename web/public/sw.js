// The service worker. Built files have a hash of their content in their names, and come from the cache. Pages come from
// the network or, without one, from the cache. Answers of the API are never cached.
const CACHE = "fivedice-1";
const SHELL = "/";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.add(SHELL)));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin || url.pathname.startsWith("/api")) return;
  if (url.pathname.startsWith("/assets/")) event.respondWith(fromCache(event.request));
  else if (event.request.mode === "navigate") event.respondWith(fromNetwork(event.request));
});

async function fromCache(request) {
  const cache = await caches.open(CACHE);
  const cached = await cache.match(request);
  if (cached) return cached;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

/** All pages load the same files. When they are new, the start page is cached again and the old files are deleted. */
async function fromNetwork(request) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok && answer.headers.get("content-type")?.startsWith("text/html")) await update(cache, await answer.clone().text());
    return answer;
  } catch (error) {
    const cached = await cache.match(SHELL);
    if (cached) return cached;
    throw error;
  }
}

/** The heads of pages differ, by the title of a table for example, but not the files that they load. */
async function update(cache, page) {
  const cached = await cache.match(SHELL);
  if (cached && files(await cached.text()) === files(page)) return;
  for (const request of await cache.keys()) {
    if (new URL(request.url).pathname !== SHELL && !page.includes(new URL(request.url).pathname)) await cache.delete(request);
  }
  await cache.add(SHELL);
}

function files(page) {
  return (page.match(/\/assets\/[\w.-]+/g) ?? []).join();
}
