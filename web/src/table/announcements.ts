/** Announcements of a table's events for screen readers: rolls, scores, and the next player. */

import { announce } from "../lib/announce.svelte";
import type { RulesView, TableEvent, TableView } from "../lib/api";
import { list, playerName, seatName, t } from "../lib/i18n.svelte";
import { boxNameById, faceName, withBonus } from "../lib/actions";
import { outcome } from "./outcome";

/** `yours` are the seats of this page's user. A user with one seat is addressed as "you". */
export function announceEvents(
  events: readonly TableEvent[],
  view: TableView,
  rules: RulesView | undefined,
  yours: readonly number[],
): void {
  const told = view.state === "over" ? events.filter(({ type }) => type !== "resigned") : events; // the result says it
  const sentences = told.map((event) => sentence(event, view, rules, yours)).filter(Boolean);
  if (events.some((event) => event.type === "scored" || event.type === "undone" || event.type === "resigned")) {
    if (view.state === "over") sentences.push(`${outcome(view, yours)}.`);
    else if (view.turn) {
      const isMine = yours.length === 1 && yours.includes(view.turn.seat);
      sentences.push(`${isMine ? t("yourTurn") : t("turnOf", { name: nameOf(view, view.turn.seat) })}.`);
    }
  }
  if (sentences.length) announce(sentences.join(" "));
}

function sentence(event: TableEvent, view: TableView, rules: RulesView | undefined, yours: readonly number[]): string {
  const seat = view.seats[event.seat ?? -1];
  const name = seat ? playerName(seat) : "";
  const addressed = seat ? seatName(seat, yours) : "";
  switch (event.type) {
    case "rolled":
    case "entered":
      return `${t("announceRoll", { name: addressed, dice: rules ? event.dice.map((face) => faceName(rules, face)).join(" ") : event.dice.join(" ") })} ${t("rollsLeft", { n: view.turn?.rolls_left ?? 0 })}.`;
    case "scored": {
      const box = rules ? boxNameById(rules, event.box) : event.box;
      return t("announceScored", { name: addressed, box, n: withBonus(event.points, event.bonus ?? 0), total: seat?.card.total ?? 0 });
    }
    case "announced":
      return t("announceAnnounced", { name, box: rules ? boxNameById(rules, event.box) : event.box });
    case "rolled_off":
      return event.rounds.map((totals) => rollOff(totals, view)).join(" ");
    case "undone":
      return t("announceUndone", { name });
    case "sat":
      return t("announceSat", { name });
    case "resigned":
      return event.is_late ? t("announceResignedLate", { name }) : t("resigned", { names: name, n: 1 });
    case "timed_out":
      return t("lateNow", { name });
    case "closed":
      return t("announceClosed");
    case "rematched":
      return t("announceRematch", { name });
    default:
      return "";
  }
}

/** The rolls for who begins, in a sentence. */
export function rollOff(totals: readonly (number | null)[], view: TableView): string {
  const rolled = totals.flatMap((n, seat) => (n === null ? [] : [t("announceRolledOff", { name: nameOf(view, seat), n })]));
  return `${list(rolled)}.`;
}

function nameOf(view: TableView, seat: number): string {
  const found = view.seats[seat];
  return found ? playerName(found) : "";
}
