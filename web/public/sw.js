// The service worker: built files, whose names hold their content's hash, come from the cache; pages come from the
// network and, without one, from the cache. What the API says is never kept: the server alone knows the tables.
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
  const known = await cache.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

/** Every page is the same shell; a new one makes the files of the one before it useless. */
async function fromNetwork(request) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok) await renew(cache, answer.clone());
    return answer;
  } catch (offline) {
    const known = await cache.match(SHELL);
    if (known) return known;
    throw offline;
  }
}

async function renew(cache, answer) {
  const page = await answer.clone().text();
  const known = await cache.match(SHELL);
  if (known && (await known.text()) === page) return;
  for (const request of await cache.keys()) {
    if (new URL(request.url).pathname !== SHELL && !page.includes(new URL(request.url).pathname)) await cache.delete(request);
  }
  await cache.put(SHELL, answer);
}
