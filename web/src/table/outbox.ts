/** `Outbox`: commands on their way. Each is sent again, with the same id, until it has its answer. */

import type { Answer, Command, Refused } from "../lib/api";

interface Waiting {
  command: Command;
  resolve(answer: Answer): void;
}

export class Outbox {
  private readonly waiting = new Map<string, Waiting>();

  constructor(
    private readonly send: (command: Command) => void,
    /** Told of an answer that says to try again. */
    private readonly held: (answer: Refused) => void,
  ) {}

  /** The answer to a command, however often the line breaks before it comes. */
  put(command: Command): Promise<Answer> {
    return new Promise((resolve) => {
      this.waiting.set(command.id, { command, resolve });
      this.send(command);
    });
  }

  /** Sends again what has no answer; the server answers a repeated id as it did the first time. */
  again(): void {
    for (const { command } of this.waiting.values()) this.send(command);
  }

  answered(answer: Answer): void {
    const found = this.waiting.get(answer.id);
    if (!found) return;
    if (answer.type === "refused" && (answer.reason === "unavailable" || answer.reason === "too_fast")) {
      this.held(answer);
      setTimeout(() => this.waiting.has(answer.id) && this.send(found.command), 1_000);
      return;
    }
    this.waiting.delete(answer.id);
    found.resolve(answer);
  }
}

/** An id that no other command has. Not `randomUUID`: browsers have that on secure origins only. */
export function newId(): string {
  return hex(16);
}

export function hex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
