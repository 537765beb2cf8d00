// The service worker. Built files have a hash of their content in their names, and come from the cache. Pages come from
// the network or, without one, from the cache. Answers of the API are never cached, except
// what the page keeps to play without the server, in caches of its own that this file only reads.
const CACHE = "fivedice-1";
const SHELL = "/";
const KEPT = /^\/(?:local|api\/solutions)(?:\/|$)/;
const ASSET = /\/assets\/[\w.-]+/g;

self.addEventListener("install", (event) => {
  event.waitUntil(refresh());
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin) return;
  // What is kept to play without the server, unless the page asks for what the server has (src/local/kept.ts).
  if (KEPT.test(url.pathname) && event.request.cache !== "no-cache") event.respondWith(fromKept(event.request));
  if (KEPT.test(url.pathname) || url.pathname.startsWith("/api")) return;
  if (url.pathname.startsWith("/assets/")) event.respondWith(fromCache(event.request));
  else if (event.request.mode === "navigate") event.respondWith(fromNetwork(event));
});

async function fromKept(request) {
  return (await caches.match(request)) ?? (await fetch(request));
}

async function fromCache(request) {
  const cache = await caches.open(CACHE);
  const cached = await caches.match(request);
  if (cached) return cached;
  const answer = await fetch(request);
  if (mayKeep(answer)) await cache.put(request, answer.clone());
  return answer;
}

/** All pages load the same built files, which the page of the root names. */
async function fromNetwork(event) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(event.request);
    if (answer.ok && answer.headers.get("content-type")?.startsWith("text/html")) event.waitUntil(compare(cache, answer.clone()));
    return answer;
  } catch (error) {
    const cached = await cache.match(SHELL);
    if (cached) return cached;
    throw error;
  }
}

/** Caches everything again when a page names other files than the cached one. */
async function compare(cache, answer) {
  const cached = await cache.match(SHELL);
  const [now, before] = [await answer.text(), cached ? await cached.text() : ""];
  if (named(now).join() !== named(before).join()) await refresh();
}

/**
 * Caches the page, the files that it names and those that its styles name, so that it opens without a network. Deletes
 * others, except parts of its script that are loaded when they are needed, as the words of a language.
 */
async function refresh() {
  const cache = await caches.open(CACHE);
  const answer = await fetch(SHELL, { cache: "no-cache" });
  if (!answer.ok) throw new Error(`${SHELL}: ${answer.status}`);
  const kept = new Set([SHELL]);
  let paths = named(await answer.clone().text());
  let scripts = "";
  while (paths.length) {
    const texts = [];
    for (const path of paths) {
      kept.add(path);
      const file = (await cache.match(path)) ?? (await fetch(path));
      if (!mayKeep(file)) throw new Error(`${path}: ${file.status}`);
      await cache.put(path, file.clone());
      if (path.endsWith(".css")) texts.push(await file.text());
      if (path.endsWith(".js")) scripts += await file.text();
    }
    paths = texts.flatMap(named).filter((path) => !kept.has(path));
  }
  await cache.put(SHELL, answer);
  for (const request of await cache.keys()) {
    const path = new URL(request.url).pathname;
    if (!kept.has(path) && !scripts.includes(path.replace(/.*\//, "./"))) await cache.delete(request);
  }
}

/** A server of another version has no such file: it answers with an error, or with a script that loads the page again. */
function mayKeep(answer) {
  return answer.ok && !answer.headers.get("cache-control")?.includes("no-store");
}

function named(text) {
  return [...new Set(text.match(ASSET) ?? [])];
}

// The server reminds of a table or the daily ten while no page of it is open. A later reminder of the same replaces it.
self.addEventListener("push", (event) => {
  const { title, body, tag, path } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, tag, renotify: true, icon: "/icon-192.png", data: path }));
});

// The push service gives the browser another address. If it does not say which one it was, the page finds out.
self.addEventListener("pushsubscriptionchange", (event) => {
  if (event.oldSubscription) event.waitUntil(moveReminders(event.oldSubscription, event.newSubscription));
});

async function moveReminders(before, after) {
  const asked = after ?? (await self.registration.pushManager.subscribe(before.options));
  const { p256dh: key, auth } = asked.toJSON().keys;
  const body = JSON.stringify({ address: asked.endpoint, key, auth, replaces: before.endpoint });
  await fetch("/api/me/reminders", { method: "POST", headers: { "content-type": "application/json" }, body });
}

// Pressing a notification shows the page that it is about.
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(showPage(event.notification.data));
});

async function showPage(path) {
  const pages = await self.clients.matchAll({ type: "window" });
  const page = pages.find((one) => new URL(one.url).pathname === path);
  await (page ? page.focus() : self.clients.openWindow(path));
}
