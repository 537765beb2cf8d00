/** `Outbox`: commands without an answer. Each is sent again, with the same id, until it has one. */

import type { Answer, Command, Refused } from "../lib/api";
import { isSentAgain } from "../lib/words";

interface Waiting {
  command: Command;
  resolve(answer: Answer): void;
}

export class Outbox {
  private readonly waiting = new Map<string, Waiting>();

  constructor(
    private readonly send: (command: Command) => void,
    /** Called when the server asks to try again. */
    private readonly held: (answer: Refused) => void,
  ) {}

  /** Sends a command, again after each reconnection, and resolves with its answer. */
  put(command: Command): Promise<Answer> {
    return new Promise((resolve) => {
      this.waiting.set(command.id, { command, resolve });
      this.send(command);
    });
  }

  /** Sends all commands without an answer again. The server gives a repeated id its first answer. */
  again(): void {
    for (const { command } of this.waiting.values()) this.send(command);
  }

  answered(answer: Answer): void {
    const found = this.waiting.get(answer.id);
    if (!found) return;
    if (answer.type === "refused" && isSentAgain(answer)) {
      this.held(answer);
      const wait = Math.max(1, answer.seconds ?? 0);
      setTimeout(() => this.waiting.has(answer.id) && this.send(found.command), wait * 1_000);
      return;
    }
    this.waiting.delete(answer.id);
    found.resolve(answer);
  }
}
