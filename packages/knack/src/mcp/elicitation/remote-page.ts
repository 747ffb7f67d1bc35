import type { ConnectedClients } from "../clients/connected-clients.ts";
import { PresenceFile, readPresences } from "../clients/presence-files.ts";
import type { PresencePlace } from "../clients/project-folder.ts";
import { takeAnswer } from "./answer-files.ts";
import { PageQuestions, QUESTION_MS } from "./page-questions.ts";

const POLL_MS = 200;

/** The page of a `knack serve` that serves the same project: it shows the clients of this process and answers what they ask. */
export class RemotePage {
  readonly questions = new PageQuestions(QUESTION_MS);
  readonly #place: PresencePlace;
  readonly #clients: ConnectedClients;
  readonly #file: PresenceFile;
  #timer: NodeJS.Timeout | undefined;

  constructor(place: PresencePlace, clients: ConnectedClients) {
    this.#place = place;
    this.#clients = clients;
    this.#file = new PresenceFile(place);
    this.questions.canAsk = () => readPresences(place).answers;
    this.questions.follow(() => this.#asked());
    clients.follow(() => this.#write());
  }

  close(): void {
    clearInterval(this.#timer);
    this.#file.remove();
  }

  #asked(): void {
    this.#write();
    if (this.questions.list().length > 0) this.#timer ??= setInterval(() => this.#look(), POLL_MS);
    else {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  #look(): void {
    for (const { id } of this.questions.list()) {
      const given = takeAnswer(this.#place, id);
      if (given) this.questions.answer(id, given.answer, given.always);
    }
  }

  #write(): void {
    const [clients, questions] = [this.#clients.list(), this.questions.list()];
    this.#file.write({ clients, questions, answers: false });
  }
}
