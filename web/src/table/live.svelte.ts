/** `Live`: a table as this page has it. The server decides; this shows its views in order and sends what its user does. */

import type { Answer, Command, Presence, RulesView, SocketMessage, TableEvent, TableView, Update } from "../lib/api";
import { get, isPassing } from "../lib/api";
import { failureWords, NOTHING, refusalWords, type Words } from "../lib/words";
import { Line, type LineState } from "./line";
import { hex, newId, Outbox } from "./outbox";

/** A command without what `Live` adds to it. */
export type Deed = Command extends infer One ? (One extends Command ? Omit<One, "id" | "version"> : never) : never;

/** What the tutor asks about. */
export interface Question {
  deed: Deed;
  loss: number;
  best: string;
}

const STEP = 600;
/** With more news than this waiting, they are no longer shown one by one. */
const MANY = 40;

export class Live {
  view = $state.raw<TableView>();
  rules = $state.raw<RulesView>();
  yours = $state.raw<readonly number[]>([]);
  here = $state.raw<readonly number[]>([]);
  line = $state<LineState>("connecting");
  /** Whether a command is on its way or its outcome not yet shown: no other is sent meanwhile. */
  isBusy = $state(false);
  /** Whether a computer player's steps wait to be shown. */
  isBehind = $state(false);
  note = $state.raw<Words>(NOTHING);
  missing = $state.raw<Words>();
  question = $state.raw<Question>();
  /** What was written last, while it stands. */
  wrote = $state.raw<{ seat: number; box: string; points: number }>();

  private latest: TableView | undefined;
  /** The note that a command waits to be sent again, which goes when it is answered. */
  private held: Words | undefined;
  /** Fulfilled when no nonce is on its way: what the user does comes after them. */
  private contributed: Promise<unknown> = Promise.resolve();
  private clock = 0;
  private readonly news: Update[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private shownAt = 0;
  private readonly connection: Line;
  private readonly outbox: Outbox;

  constructor(
    readonly table: string,
    private readonly told: (events: readonly TableEvent[], view: TableView) => void,
  ) {
    this.outbox = new Outbox(
      (command) => this.connection.send(command),
      (answer) => (this.note = this.held = refusalWords(answer)),
    );
    this.connection = new Line(table, {
      version: () => this.latest?.version ?? 0,
      receive: (message) => this.receive(message),
      changed: (state) => this.changed(state),
    });
    void this.look();
  }

  close(): void {
    clearTimeout(this.timer);
    this.connection.close();
  }

  /** The seat to move, if this page's user may move it now. */
  get mine(): number | undefined {
    const seat = this.view?.turn?.seat;
    return seat !== undefined && this.plays(seat) && !this.isBehind ? seat : undefined;
  }

  /** Whether a seat is this page's user's to play, when its turn comes. */
  plays(seat: number): boolean {
    return this.yours.includes(seat) && !this.view?.seats[seat]?.stand_in;
  }

  /** Milliseconds until a moment of the server's clock. */
  until(moment: number): number {
    return moment * 1_000 - Date.now() - this.clock;
  }

  /** Connects anew: after this browser came to hold another seat. */
  again(): void {
    this.connection.renew();
  }

  /** Shows at once what is waiting to be shown step by step. */
  hurry(): void {
    while (this.news.length) this.showNext();
  }

  /** Does something at the table; resolves when it is done and shown, or refused, and then `note` says why. */
  async act(deed: Deed): Promise<void> {
    if (this.isBusy || !this.latest) return;
    this.isBusy = true;
    this.note = NOTHING;
    this.question = undefined;
    await this.contributed;
    const answer = await this.decide(deed);
    this.isBusy = false;
    if (this.note === this.held) this.note = NOTHING;
    if (answer.type === "accepted") return;
    if (answer.reason === "costly" && answer.loss != null) this.question = { deed, loss: answer.loss, best: answer.best ?? "" };
    else this.note = refusalWords(answer);
  }

  /** Adds a nonce of this page's own to the dice: chance is then no longer the server's alone. */
  contribute(seat: number): void {
    this.contributed = this.contributed.then(() => this.decide({ type: "add_nonce", seat, nonce: hex(16) }));
  }

  /** A stale command is decided again by itself only where nothing that its user looked at has changed. */
  private async decide(deed: Deed): Promise<Answer> {
    const seen = this.latest?.line;
    for (;;) {
      const made = this.latest?.version ?? 0;
      const answer = await this.outbox.put({ ...deed, id: newId(), version: made } as Command);
      const version = answer.type === "accepted" ? answer.version : Math.max(answer.version, made);
      await this.reached(version);
      if (answer.type === "accepted" || answer.reason !== "stale") return answer;
      if (this.latest?.line !== seen || this.latest?.version === made) return answer;
    }
  }

  private waiters: { version: number; resolve(): void }[] = [];

  private reached(version: number): Promise<void> {
    if ((this.latest?.version ?? 0) >= version) return Promise.resolve();
    return new Promise((resolve) => this.waiters.push({ version, resolve }));
  }

  /** The first look is a request of its own, for its errors: a socket does not say why it closed. */
  private async look(): Promise<void> {
    try {
      this.receive(await get<Update>(`/api/tables/${encodeURIComponent(this.table)}?rules=true`));
    } catch (error) {
      if (isPassing(error)) return; // the line tries again
      this.missing = failureWords(error, { unknown: "noTable" });
      this.close();
    }
  }

  private changed(state: LineState): void {
    this.line = state;
    if (state === "live") this.outbox.again();
  }

  private receive(message: SocketMessage): void {
    if (message.type === "update") this.update(message);
    else if (message.type === "answer") this.outbox.answered(message.answer);
    else if (message.type === "presence") this.here = (message as Presence).here;
  }

  private update(update: Update): void {
    this.yours = update.yours;
    this.here = update.here;
    this.clock = update.now * 1_000 - Date.now();
    if (update.rules) this.rules = update.rules;
    const known = this.latest?.version ?? 0;
    const isReset = update.status === "unknown_version";
    if (update.view.version < known && !isReset) return;
    const isNew = update.view.version > known;
    this.latest = update.view;
    if (isNew && known && update.events.length) {
      this.news.push(update);
      this.pump();
    } else {
      this.news.length = 0;
      this.view = update.view;
      this.isBehind = false;
    }
    this.waiters = this.waiters.filter((waiter) => {
      if (waiter.version > update.view.version) return true;
      waiter.resolve();
      return false;
    });
  }

  /** A computer player's steps are shown one by one, slowly enough to follow; people's at once. */
  private pump(): void {
    clearTimeout(this.timer);
    if (document.hidden || this.news.length > MANY) this.hurry();
    while (this.news[0]) {
      const wait = isComputers(this.news[0]) ? this.shownAt + STEP - Date.now() : 0;
      if (wait > 0) {
        this.isBehind = true;
        this.timer = setTimeout(() => {
          this.showNext();
          this.pump();
        }, wait);
        return;
      }
      this.showNext();
    }
  }

  private showNext(): void {
    const next = this.news.shift();
    if (!next) return;
    this.view = next.view;
    this.shownAt = Date.now();
    this.isBehind = this.news.length > 0;
    for (const event of next.events) {
      if (event.type === "undone") this.wrote = undefined;
      if (event.type === "scored") this.wrote = { seat: event.seat ?? 0, box: event.box, points: event.points + (event.bonus ?? 0) };
    }
    this.told(next.events, next.view);
  }
}

function isComputers(update: Update): boolean {
  return update.events.some(
    (event) => (event.type === "rolled" || event.type === "scored") && (event.by ?? "person") !== "person",
  );
}
