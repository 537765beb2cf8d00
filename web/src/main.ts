/** The entry point of the page. */

import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { answerBy } from "./lib/api";
import { keepReminders } from "./lib/attention";
import { keepTextsRight } from "./lib/foreignText";
import { loadWords } from "./lib/i18n.svelte";
import { offline } from "./lib/offline.svelte";
import { followLinks } from "./lib/route.svelte";
import { ignoreSecondTaps } from "./lib/secondTap";
import { IS_STATIC } from "./lib/site";
import { KEPT_CACHES } from "./lib/storage";
import { local } from "./local/own";

answerBy(local);

// Python starts while the page is drawn.
if (offline.isOn) void import("./local/transport").then(({ begin }) => begin(), () => undefined);

/** Milliseconds that the page waits for the words of another language before it is shown in English. */
const PATIENCE = 5_000;

followLinks();
const target = document.getElementById("app");
if (!target) throw new Error("index.html has no #app");
keepTextsRight(target);
ignoreSecondTaps(target);
const words = loadWords();
addEventListener("online", () => void loadWords());
void Promise.race([words, new Promise((resolve) => setTimeout(resolve, PATIENCE))]).then(() => mount(App, { target }));

// While a server is upgraded, the styles of this page may have been asked of a process that has those of another version.
if (!getComputedStyle(document.documentElement).getPropertyValue("--paper")) setTimeout(() => location.reload(), 1_000);

if (import.meta.env.PROD && !IS_STATIC && "serviceWorker" in navigator) {
  navigator.serviceWorker.addEventListener("controllerchange", () => void words.then(keepLoaded).catch((error: unknown) => console.warn("fivedice: not kept:", error)));
  navigator.serviceWorker.register("/sw.js").catch((error: unknown) => {
    console.warn("fivedice: cannot register the service worker:", error);
  });
}

/** Has the service worker keep what was loaded before it was there: the words of the user's language. */
async function keepLoaded(): Promise<void> {
  for (const { name } of performance.getEntriesByType("resource")) {
    if (name.includes("/assets/") && !(await caches.match(name))) await fetch(name);
  }
}

/** What is kept to play without the server follows the version of this page. */
async function updateKept(): Promise<void> {
  const names = !IS_STATIC && "caches" in globalThis ? await caches.keys() : [];
  if (names.some((name) => name.startsWith(KEPT_CACHES))) await (await import("./local/kept")).updateFiles();
}

if (!IS_STATIC) keepReminders().catch((error: unknown) => console.warn("fivedice: cannot look after reminders:", error));

updateKept().catch((error: unknown) => {
  console.warn("fivedice: cannot update the files to play without the server:", error);
});
