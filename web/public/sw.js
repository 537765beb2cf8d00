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

/** All pages are the same HTML file. When it changes, the cached files that it does not name are deleted. */
async function fromNetwork(request) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok) await update(cache, answer.clone());
    return answer;
  } catch (error) {
    const cached = await cache.match(SHELL);
    if (cached) return cached;
    throw error;
  }
}

async function update(cache, answer) {
  const page = await answer.clone().text();
  const cached = await cache.match(SHELL);
  if (cached && (await cached.text()) === page) return;
  for (const request of await cache.keys()) {
    if (new URL(request.url).pathname !== SHELL && !page.includes(new URL(request.url).pathname)) await cache.delete(request);
  }
  await cache.put(SHELL, answer);
}

// A notification belongs to a table. Pressing it shows the page of that table.
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(showPage(event.notification.data));
});

async function showPage(path) {
  const pages = await self.clients.matchAll({ type: "window" });
  const page = pages.find((one) => new URL(one.url).pathname === path);
  await (page ? page.focus() : self.clients.openWindow(path));
}
