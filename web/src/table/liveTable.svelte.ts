/** `LiveTable`: the state of a table on this page. It shows the server's updates in order and sends the user's commands. */

import type { ActionParts, Answer, Command, DecisionView, KeptDice, Presence, Reaction, RulesView, SocketMessage, TableEvent, TableView, TurnView, Update } from "../lib/api";
import { get, isTemporary, requireCookie } from "../lib/api";
import { hex } from "../lib/ids";
import { isLocalTable } from "../lib/offline.svelte";
import { check, reloadIfOther } from "../lib/server.svelte";
import { settings } from "../lib/settings.svelte";
import { failureWords, NOTHING, refusalWords, type Words } from "../lib/words";
import { Connection, type ConnectionState } from "../local/connection";
import { Outbox } from "./outbox";
import { Playback } from "./playback";

/** A command before `LiveTable` adds its id and the table's version. */
export type CommandDraft = Command extends infer One ? (One extends Command ? Omit<One, "id" | "version"> : never) : never;

/** The tutor's question about a costly decision. */
export interface TutorQuestion {
  command: CommandDraft;
  loss: number;
  /** The best action and the one that the command asked for, in notation and in parts. */
  best: string;
  bestParts: ActionParts;
  asked: string;
  askedParts: ActionParts;
  /** Whether the best action wins the game at once. */
  givesAwayWin: boolean;
}

/** What has a text or a choice that a reload would lose. */
const TYPED = "main input:not([type=checkbox], [readonly]), dialog[open]";

/** How long a reaction is shown, in milliseconds. */
const REACTION_TIME = 4_000;

export class LiveTable {
  view = $state.raw<TableView>();
  rules = $state.raw<RulesView>();
  yours = $state.raw<readonly number[]>([]);
  here = $state.raw<readonly number[]>([]);
  /** Whether this page's user may end the table. */
  canClose = $state.raw(false);
  connectionState = $state<ConnectionState>("connecting");
  /** Whether a command has no answer yet, or its result is not shown yet. No other is sent until then. */
  isBusy = $state(false);
  /** Whether some steps of computer players are not shown yet. */
  isBehind = $state(false);
  note = $state.raw<Words>(NOTHING);
  loadError = $state.raw<Words>();
  question = $state.raw<TutorQuestion>();
  /** The last decision to comment on: players need no comments on those of computers, which are quick. */
  judged = $state.raw<DecisionView>();
  /** The last score; undefined after an undo. */
  lastScore = $state.raw<{ seat: number; box: string; points: number; bonus: number }>();

  /** The dice that the player to move keeps for the next roll, if another page or device has sent them. */
  kept = $state.raw<KeptDice>();

  /** What players have just said. */
  reactions = $state.raw<readonly Reaction[]>([]);

  /** The newest state of the table, which may not be shown yet. */
  private latest = $state.raw<TableView>();
  /** The note that a command will be sent again; it is removed when the answer arrives. */
  private retryNote: Words | undefined;
  /** Resolves when every nonce has its answer. Commands wait for that. */
  private noncesSent: Promise<unknown> = Promise.resolve();
  private clockOffset = 0;
  private hasLived = false;
  /** The dice that this page's user keeps, as they were last sent. */
  private ownKept: KeptDice | undefined;
  private readonly playback = new Playback({
    show: (update) => this.show(update),
    showKept: (kept) => this.showKept(kept),
    changed: (isBehind) => (this.isBehind = isBehind),
    isHasty: () => settings.hurry || document.hidden,
  });
  private readonly connection: Connection;
  private readonly outbox: Outbox;

  constructor(
    readonly table: string,
    private readonly onEvents: (events: readonly TableEvent[], view: TableView) => void,
  ) {
    this.outbox = new Outbox(
      (command) => this.connection.send(command),
      (answer) => (this.note = this.retryNote = refusalWords(answer)),
    );
    this.connection = new Connection(table, {
      version: () => this.latest?.version ?? 0,
      receive: (message) => this.receive(message),
      changed: (state) => this.connectionChanged(state),
    });
    document.addEventListener("visibilitychange", this.onHidden);
    void this.load();
  }

  close(): void {
    document.removeEventListener("visibilitychange", this.onHidden);
    this.playback.stop();
    this.connection.close();
  }

  /** The seat to move, if this page's user may move it now. */
  get mySeat(): number | undefined {
    const seat = this.view?.turn?.seat;
    return seat !== undefined && this.plays(seat) && !this.isBehind ? seat : undefined;
  }

  /** Whether this page's user plays for a seat. */
  plays(seat: number): boolean {
    return this.yours.includes(seat) && !this.view?.seats[seat]?.stand_in;
  }

  /** Milliseconds until a time of the server's clock, given in seconds. */
  until(moment: number): number {
    return moment * 1_000 - Date.now() - this.clockOffset;
  }

  /** Connects again, after this browser got another seat. */
  reconnect(): void {
    this.connection.reconnect();
  }

  /** The seat of this page's user that can take its score back; undefined if there is none. */
  get undoSeat(): number | undefined {
    return this.latest?.can_undo.find((seat) => this.yours.includes(seat));
  }

  /** Whether the game is over, which may not be shown yet. */
  get hasEnded(): boolean {
    return this.latest?.state === "over";
  }

  /** Shows the rest of a computer player's turn at once. */
  hurry(): void {
    this.playback.hurry();
  }

  /** Takes a score back. What computer players did since then is undone too, and so it is not shown any more. */
  async undo(): Promise<void> {
    const seat = this.undoSeat;
    if (seat === undefined || this.isBusy) return;
    this.playback.pause();
    await this.act({ type: "undo", seat });
    this.playback.hurry();
  }

  /** The dice that are kept for the next roll, as far as this page knows. */
  keptIn(turn: TurnView): readonly boolean[] {
    const known = this.kept?.seat === turn.seat && this.kept.roll_id === turn.roll_id ? this.kept.kept : turn.kept;
    return turn.dice.map((_, place) => known[place] ?? false);
  }

  /** Shows the others the dice that this page's user keeps. */
  keep(kept: readonly boolean[]): void {
    const turn = this.view?.turn;
    if (!turn) return;
    this.ownKept = { type: "kept", seat: turn.seat, roll_id: turn.roll_id, kept: [...kept] };
    this.connection.keep(this.ownKept);
  }

  /** Says something at a seat of this page's user. It is shown when the server sends it to everybody. */
  react(seat: number, reaction: Reaction["reaction"]): void {
    this.connection.react({ type: "reaction", seat, reaction });
  }

  /** Sends a command. Resolves when its result is shown, or when it is refused: then `note` has the reason. */
  async act(command: CommandDraft): Promise<void> {
    if (this.isBusy || !this.latest) return;
    if ("anyway" in command && settings.isTutorOff) command = { ...command, anyway: true };
    this.isBusy = true;
    this.note = NOTHING;
    this.question = undefined;
    if (command.type === "sit" && !isLocalTable(this.table)) {
      try {
        await requireCookie();
      } catch (error) {
        // Without a connection it is sent once there is one, and the server says then what it needs.
        if (!isTemporary(error)) {
          this.note = failureWords(error);
          this.isBusy = false;
          return;
        }
      }
    }
    await this.noncesSent;
    const answer = await this.send(command);
    this.isBusy = false;
    if (this.note === this.retryNote) this.note = NOTHING;
    if (answer.type === "accepted") return;
    if (answer.reason === "malformed") {
      await check();
      if (reloadIfOther()) return; // the server does not know this version's commands, or no longer
    }
    const { loss, best, best_parts: bestParts, asked, asked_parts: askedParts } = answer;
    if (answer.reason === "costly" && loss != null && best && bestParts && asked && askedParts) {
      this.question = { command, loss, best, bestParts, asked, askedParts, givesAwayWin: answer.gives_away_win ?? false };
    }
    else this.note = refusalWords(answer);
  }

  /** Adds a nonce made by this page, so that the server alone does not determine the dice. */
  addNonce(seat: number): void {
    this.noncesSent = this.noncesSent.then(() => this.send({ type: "add_nonce", seat, nonce: hex(16) }));
  }

  /** The answer to a command. A stale command is sent again, but only if the position is still the one that the user saw. */
  private async send(command: CommandDraft): Promise<Answer> {
    const seen = this.latest?.line;
    for (;;) {
      const sentAt = this.latest?.version ?? 0;
      const answer = await this.outbox.put({ ...command, id: hex(16), version: sentAt } as Command);
      const version = answer.type === "accepted" ? answer.version : Math.max(answer.version, sentAt);
      await this.reached(version);
      if (answer.type === "accepted" || answer.reason !== "stale") return answer;
      if (this.latest?.line !== seen || this.latest?.version === sentAt) return answer;
    }
  }

  private waiters: { version: number; resolve(): void }[] = [];

  /** Resolves when the page has this version of the table. */
  private reached(version: number): Promise<void> {
    if ((this.latest?.version ?? 0) >= version) return Promise.resolve();
    return new Promise((resolve) => this.waiters.push({ version, resolve }));
  }

  /** Gets the table by a request, too: a request gives the reason of a failure, and a socket does not. */
  private async load(): Promise<void> {
    try {
      const found = await get<Update>(`/api/tables/${encodeURIComponent(this.table)}?rules=true`);
      if (!this.latest) this.receive(found); // what the connection has sent first may be newer
    } catch (error) {
      if (isTemporary(error) && !isLocalTable(this.table)) return; // the connection tries again
      this.loadError = failureWords(error, { unknown: "noTable" });
      this.close();
    }
  }

  private connectionChanged(state: ConnectionState): void {
    this.connectionState = state;
    if (state !== "live") return;
    if (this.hasLived) void check(); // which says whether the server was upgraded meanwhile
    this.hasLived = true;
    this.outbox.again();
    // The user may have kept other dice while there was no connection.
    if (this.ownKept && this.ownKept.roll_id === this.latest?.turn?.roll_id) this.connection.keep(this.ownKept);
  }

  /** Loads the page of an upgraded server while nobody looks at this one and nothing on it would be lost. */
  private readonly onHidden = (): void => {
    if (document.hidden && !this.isBusy && !document.querySelector(TYPED)) reloadIfOther();
  };

  private receive(message: SocketMessage): void {
    if (message.type === "update") this.update(message);
    else if (message.type === "answer") this.outbox.answered(message.answer);
    else if (message.type === "presence") this.here = (message as Presence).here;
    else if (message.type === "kept") this.kept = message as KeptDice;
    else if (message.type === "reaction") this.showReaction(message as Reaction);
  }

  private update(update: Update): void {
    this.yours = update.yours;
    this.here = update.here;
    this.canClose = update.can_close;
    this.clockOffset = update.now * 1_000 - Date.now();
    if (update.rules) this.rules = update.rules;
    const known = this.latest?.version ?? 0;
    const isReset = update.status === "unknown_version";
    if (update.view.version < known && !isReset) return;
    const isNew = update.view.version > known;
    this.latest = update.view;
    if (isNew && known && update.events.length) {
      this.playback.add(update);
    } else if (isNew || isReset || !this.playback.refresh(update.view)) {
      this.playback.clear();
      this.showView(update.view);
    }
    this.waiters = this.waiters.filter((waiter) => {
      if (waiter.version > update.view.version) return true;
      waiter.resolve();
      return false;
    });
  }

  private show(next: Update): void {
    for (const event of next.events) {
      if (event.type === "undone") this.lastScore = undefined;
      // A score is judged when it is final, with the next roll of a person: until then it is what to comment on.
      if (event.type === "undone" || event.type === "scored" || event.type === "announced") this.judged = undefined;
      if (event.type === "scored") this.lastScore = { seat: event.seat ?? 0, box: event.box, points: event.points, bonus: event.bonus ?? 0 };
    }
    this.showView(next.view);
    this.onEvents(next.events, next.view);
  }

  private showView(view: TableView): void {
    this.view = view;
    const seat = view.last && view.seats[view.last.seat];
    if (view.last && seat && (!this.yours.length || (seat.kind === "person" && !seat.stand_in))) this.judged = view.last;
  }

  private showReaction(reaction: Reaction): void {
    if (settings.isMuted && !this.yours.includes(reaction.seat)) return;
    this.reactions = [...this.reactions, reaction];
    setTimeout(() => (this.reactions = this.reactions.filter((one) => one !== reaction)), REACTION_TIME);
  }

  private showKept(kept: readonly boolean[]): void {
    const turn = this.view?.turn;
    if (turn) this.kept = { type: "kept", seat: turn.seat, roll_id: turn.roll_id, kept };
  }
}
