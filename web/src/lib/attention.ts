/** Notifications of the system, if the user has allowed them: of a table in a hidden tab, and reminders of the server. */

import { get, post, type ReminderKey, remove } from "./api";
import { language } from "./i18n.svelte";
import { change, settings } from "./settings.svelte";
import { load, store } from "./storage";

/** Whether this browser can notify at all: only secure addresses can. */
export const canNotify = typeof Notification !== "undefined" && window.isSecureContext;

/** Whether the user wants notifications, and the browser still allows them. */
export function notifies(): boolean {
  return settings.notify && canNotify && Notification.permission === "granted";
}

/** Turns notifications on or off. False if the browser does not allow them. */
export async function setNotifies(isWanted: boolean): Promise<boolean> {
  const isAllowed = !isWanted || (await mayNotify());
  change({ notify: isWanted && isAllowed });
  return isAllowed;
}

/** Whether the browser allows notifications, which it may ask the user. */
export async function mayNotify(): Promise<boolean> {
  return (await Notification.requestPermission()) === "granted";
}

/** The hour of the reminder of the daily ten, if there is one and the browser still allows it. */
export function remindedHour(): number | null {
  return canNotify && Notification.permission === "granted" ? settings.dailyHour : null;
}

/**
 * Asks for the reminders of the settings, which come while no page is open, or gives them up. False if this browser has
 * no push service that delivers them: then the open page notifies, and nothing else does.
 */
export async function renewReminders(): Promise<boolean> {
  const [turns, hour] = [notifies(), remindedHour()];
  const push = (await navigator.serviceWorker?.getRegistration())?.pushManager;
  if (!push) return false;
  const known = await push.getSubscription();
  if (known) {
    await remove(`/api/me/reminders?${new URLSearchParams({ address: known.endpoint })}`);
    await known.unsubscribe();
  }
  if (!turns && hour === null) return false;
  const { key: applicationServerKey } = await get<ReminderKey>("/api/reminders/key");
  let asked: PushSubscription;
  try {
    asked = await push.subscribe({ userVisibleOnly: true, applicationServerKey });
  } catch {
    return false; // the browser has switched its push service off, or cannot reach it
  }
  const { p256dh: key, auth } = asked.toJSON().keys ?? {};
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  await post("/api/me/reminders", { address: asked.endpoint, key, auth, lang: language(), turns, hour, zone });
  return true;
}

/** The day on which this browser's address was last compared with what the server knows. */
const COMPARED = "fivedice-reminders";

/**
 * Asks for the reminders again, once a day, if the push service or the server has forgotten this browser, or the server
 * has another key. Where that is not possible, the settings say so.
 */
export async function keepReminders(): Promise<void> {
  const today = new Date().toDateString();
  if ((!notifies() && remindedHour() === null) || load("local", COMPARED) === today) return;
  const push = (await navigator.serviceWorker?.getRegistration())?.pushManager;
  if (!push) return;
  const has = await push.getSubscription();
  const { key, is_known } = await get<ReminderKey>(`/api/reminders/key?${new URLSearchParams({ address: has?.endpoint ?? "" })}`);
  const its = has?.options.applicationServerKey;
  if ((!its || !is_known || base64(its) !== key) && !(await renewReminders())) change({ dailyHour: null });
  store("local", COMPARED, today);
}

/** Bytes in base64 for URLs. */
function base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Notifies the user, if the page is hidden. A later notification of the same table replaces it. */
export async function notify(title: string, body: string, table: string): Promise<void> {
  if (!document.hidden || !notifies()) return;
  const options = { body, tag: `fivedice ${table}`, icon: "/icon-192.png", data: `/t/${table}` };
  try {
    const shown = new Notification(title, options);
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // Phones show notifications of service workers only.
    const worker = await navigator.serviceWorker.getRegistration();
    await worker?.showNotification(title, options);
  }
}
