import type { ConnectedClient, ConnectedClients } from "../../mcp/connected-clients.ts";
import type { OpenQuestion, PageQuestions, QuestionAnswer } from "../../mcp/page-questions.ts";
import { PresenceFile, type PresencePlace, readPresences } from "../../mcp/presence.ts";
import type { EventFeed } from "../event-feed.ts";

/**
 * The agents of this server and of each `knack mcp` in the project. Readers of the feed hear of changes, and whether one of
 * them shows questions to a person decides if an agent's question can wait.
 */
export class Agents {
  readonly #clients: ConnectedClients;
  readonly #questions: PageQuestions;
  readonly #feed: EventFeed;
  readonly #place: PresencePlace;
  readonly #presence: PresenceFile;
  /** How questions of other processes were answered here, until they have seen it. */
  readonly #given = new Map<string, QuestionAnswer>();
  /** What the other processes said at the last look, as JSON. */
  #others = { clients: "[]", questions: "[]" };

  constructor(clients: ConnectedClients, questions: PageQuestions, feed: EventFeed, place: PresencePlace) {
    this.#clients = clients;
    this.#questions = questions;
    this.#feed = feed;
    this.#place = place;
    this.#presence = new PresenceFile(place);
    clients.onChange = () => feed.signal("clients");
    questions.canAsk = () => feed.hasAnswering;
    questions.onChange = () => feed.signal("questions");
    feed.onAnswering = () => this.#writePresence();
    // Other processes come and go without a word.
    feed.onLook = () => this.#look();
  }

  /** The newest first. */
  clients(): ConnectedClient[] {
    const all = [...this.#clients.list(), ...readPresences(this.#place).clients];
    return all.sort((a, b) => (a.since < b.since ? 1 : -1));
  }

  /** The oldest first: it waits least. */
  questions(): OpenQuestion[] {
    const all = [...this.#questions.list(), ...readPresences(this.#place).questions];
    return all.sort((a, b) => (a.asked_at < b.asked_at ? -1 : 1));
  }

  /** False where the question is not open any more. */
  answer(id: string, given: QuestionAnswer): boolean {
    if (this.#questions.answer(id, given)) return true;
    if (!readPresences(this.#place).questions.some((one) => one.id === id)) return false;
    this.#given.set(id, given);
    this.#writePresence();
    return true;
  }

  close(): void {
    this.#presence.remove();
  }

  #writePresence(): void {
    const given = [...this.#given].map(([id, answer]) => ({ id, ...answer }));
    this.#presence.write({ answers: this.#feed.hasAnswering, given });
  }

  #look(): void {
    const others = readPresences(this.#place);
    const isOpen = new Set(others.questions.map(({ id }) => id));
    for (const id of this.#given.keys()) if (!isOpen.has(id)) this.#given.delete(id);
    const now = {
      clients: JSON.stringify(others.clients),
      questions: JSON.stringify(others.questions.map(({ id }) => id)),
    };
    if (now.clients !== this.#others.clients) this.#feed.signal("clients");
    if (now.questions !== this.#others.questions) this.#feed.signal("questions");
    this.#others = now;
  }
}
