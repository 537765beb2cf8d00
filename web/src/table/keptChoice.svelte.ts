/** `KeptChoice`: the dice that the user keeps for the next roll. They survive a reload, and follow the user to another device. */

import type { KeptDice, TurnView } from "../lib/api";
import { placesOf } from "../lib/actions";
import { load, store } from "../lib/storage";

export class KeptChoice {
  places = $state<boolean[]>([]);
  private turn: TurnView | undefined;
  /** Whether this page has made a choice for this roll. */
  private isOwn = false;

  constructor(private readonly table: string) {}

  /** Starts a new roll: with the stored choice, or else with the dice that the roll kept. */
  update(turn: TurnView): void {
    const isSame = turn.roll_id === this.turn?.roll_id;
    this.turn = turn;
    if (isSame) return;
    const stored = load("session", this.key);
    this.isOwn = stored !== null;
    this.places = stored ? [...stored].map((one) => one === "1") : turn.dice.map((_, place) => turn.kept[place] ?? false);
  }

  /** Keeps a die, or no longer keeps it. */
  toggle(place: number): void {
    this.isOwn = true;
    this.places[place] = !this.places[place];
    store("session", this.key, this.places.map((one) => (one ? "1" : "0")).join(""));
  }

  /** Takes over a choice that this user has made for this roll on another page or device, if this page has made none. */
  adopt(sent: KeptDice | undefined): void {
    if (!sent || this.isOwn || sent.seat !== this.turn?.seat || sent.roll_id !== this.turn.roll_id) return;
    this.places = [...sent.kept];
  }

  /** The places to toggle so that exactly these dice are kept. */
  placesToToggle(dice: readonly number[]): number[] {
    const wanted = placesOf(dice, this.turn?.dice ?? []);
    return wanted.flatMap((one, place) => (one === this.places[place] ? [] : [place]));
  }

  private get key(): string {
    return `kept ${this.table} ${this.turn?.roll_id}`;
  }
}
