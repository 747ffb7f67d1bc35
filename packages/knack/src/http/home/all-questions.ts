import { readPresences } from "../../mcp/clients/presence-files.ts";
import type { PresencePlace } from "../../mcp/clients/project-folder.ts";
import { type QuestionAnswer, writeAnswer } from "../../mcp/elicitation/answer-files.ts";
import type { OpenQuestion, PageQuestions } from "../../mcp/elicitation/page-questions.ts";

/** Questions of the clients of this server, and of every `knack mcp` that serves the same project. */
export class AllQuestions {
  readonly #own: PageQuestions;
  readonly #place: PresencePlace;

  constructor(own: PageQuestions, place: PresencePlace) {
    this.#own = own;
    this.#place = place;
  }

  /** The oldest first: it waits least. */
  list(): OpenQuestion[] {
    const all = [...this.#own.list(), ...readPresences(this.#place).questions];
    return all.sort((a, b) => (a.asked_at < b.asked_at ? -1 : 1));
  }

  /** False where the question is not open any more. */
  answer(id: string, given: QuestionAnswer): boolean {
    if (this.#own.answer(id, given.answer, given.always)) return true;
    const isOpen = readPresences(this.#place).questions.some((one) => one.id === id);
    return isOpen && writeAnswer(this.#place, id, given);
  }
}
