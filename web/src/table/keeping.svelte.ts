/** `Keeping`: which dice the user keeps until the next roll. It is the page's own, and outlives a reload. */

import type { TurnView } from "../lib/api";
import { digits, placesOf } from "../lib/notation";
import { keep, kept } from "../lib/settings.svelte";

export class Keeping {
  places = $state<boolean[]>([]);
  private turn: TurnView | undefined;

  constructor(private readonly table: string) {}

  /** Takes up another roll: as it was stored, or with the dice that the roll left alone. */
  follow(turn: TurnView): void {
    const isSame = turn.roll_id === this.turn?.roll_id;
    this.turn = turn;
    if (isSame) return;
    const stored = kept("session", this.key);
    this.places = stored ? [...stored].map((one) => one === "1") : turn.dice.map((_, place) => turn.kept[place] ?? false);
  }

  /** Keeps a die, or lets it go; the dice that are kept now, as digits. */
  toggle(place: number): string {
    this.places[place] = !this.places[place];
    keep("session", this.key, this.places.map((one) => (one ? "1" : "0")).join(""));
    return digits(this.turn?.dice ?? [], this.places);
  }

  /** The places that differ from a keep in notation. */
  differing(dice: string): number[] {
    const wanted = placesOf(dice, this.turn?.dice ?? []);
    return wanted.flatMap((one, place) => (one === this.places[place] ? [] : [place]));
  }

  private get key(): string {
    return `kept ${this.table} ${this.turn?.roll_id}`;
  }
}
