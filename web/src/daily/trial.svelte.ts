/** `Trial`: a try of this browser, on the server: its answers, its next question, and the answer that was given last. */

import type { ActionParts, AnswerView, RulesView, TryKind, TryView } from "../lib/api";
import { ApiError, get, isTemporary, post } from "../lib/api";
import { cardLanguage } from "../lib/i18n.svelte";
import { failureWords, NOTHING } from "../lib/words";

/** Milliseconds between two requests while the server cannot be reached. */
const PAUSE = 1_000;

export class Trial {
  /** The try after its last answer; undefined until it has begun. */
  view = $state.raw<TryView>();
  /** All answers in order. */
  answers = $state.raw<readonly AnswerView[]>([]);
  isBusy = $state(false);
  failed = $state.raw(NOTHING);
  /** When the time of a storm is over, by this browser's clock of its page. */
  ends = $state<number>();

  #rulesets: readonly RulesView[] = [];
  #isClosed = false;

  constructor(readonly kind: TryKind) {}

  get latest(): AnswerView | undefined {
    return this.answers.at(-1);
  }

  rules(digest: string): RulesView | undefined {
    return this.#rulesets.find((one) => one.digest === digest);
  }

  /** Begins the try under these rules, or continues it. */
  begin(rules: string): Promise<void> {
    return this.#ask(() => this.#begun(rules));
  }

  /** Shows the first question of a ten, which begins with its answer. */
  look(rules: string): Promise<void> {
    return this.#ask(() => get<TryView>(`/api/daily/first?rules=${rules}&lang=${cardLanguage()}`));
  }

  /** Loads the try again: another tab may have gone on with it, or its time is over. */
  reload(): Promise<void> {
    const { id, rules } = this.view ?? { id: "", rules: "" };
    return id ? this.#ask(() => get<TryView>(`/api/daily/tries/${id}?lang=${cardLanguage()}`)) : this.begin(rules);
  }

  #begun(rules: string): Promise<TryView> {
    return post<TryView>(`/api/daily/${this.kind}?lang=${cardLanguage()}`, { rules });
  }

  async answer(action: ActionParts): Promise<void> {
    const { view } = this;
    const question = view?.question;
    if (!question) return;
    const send = async (): Promise<TryView> => {
      const begun = view.id ? view : await this.#begun(view.rules);
      // The next day has begun: its first question is another one.
      if (begun.day !== view.day) return begun;
      return post<TryView>(`/api/daily/tries/${begun.id}/answers?lang=${cardLanguage()}`, { number: question.number, action });
    };
    try {
      await this.#ask(send, true);
    } catch (error) {
      // Answered in another tab, or too late.
      if (error instanceof ApiError && error.status === 409) await this.reload();
      else throw error;
    }
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Asks until there is an answer. Errors are shown, and those of an answer thrown if they say that it came too late. */
  async #ask(send: () => Promise<TryView>, isAnswer = false): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    this.failed = NOTHING;
    try {
      while (!this.#isClosed) {
        try {
          this.#take(await send(), isAnswer);
          return;
        } catch (error) {
          if (isAnswer && error instanceof ApiError && error.status === 409) throw error;
          this.failed = failureWords(error);
          if (!isTemporary(error)) return;
        }
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
    } finally {
      this.isBusy = false;
    }
  }

  #take(found: TryView, isAnswer: boolean): void {
    const known = found.rulesets.map(({ digest }) => digest);
    this.#rulesets = [...this.#rulesets.filter(({ digest }) => !known.includes(digest)), ...found.rulesets];
    this.answers = isAnswer ? [...this.answers, ...found.answers] : found.answers;
    this.ends = found.seconds_left === null ? undefined : Date.now() + 1_000 * found.seconds_left;
    this.failed = NOTHING;
    this.view = found;
  }
}
