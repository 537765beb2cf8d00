/** Attention for a table in a hidden tab: a notification of the system, if the user has allowed it. */

import { change, settings } from "../lib/settings.svelte";

/** Whether this browser can notify at all: only secure addresses can. */
export const canNotify = typeof Notification !== "undefined" && window.isSecureContext;

/** Whether the user wants notifications, and the browser still allows them. */
export function notifies(): boolean {
  return settings.notify && canNotify && Notification.permission === "granted";
}

/** Turns notifications on or off. False if the browser does not allow them. */
export async function setNotifies(isWanted: boolean): Promise<boolean> {
  const isAllowed = !isWanted || (await Notification.requestPermission()) === "granted";
  change({ notify: isWanted && isAllowed });
  return isAllowed;
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
