import type { ConnectedClients } from "../../mcp/clients/connected-clients.ts";
import { PresenceFile, readPresences } from "../../mcp/clients/presence-files.ts";
import type { PresencePlace } from "../../mcp/clients/project-folder.ts";
import type { PageQuestions } from "../../mcp/elicitation/page-questions.ts";
import type { EventFeed } from "../event-feed.ts";
import { AllClients } from "./all-clients.ts";
import { AllQuestions } from "./all-questions.ts";

/**
 * The agents of this server and of each `knack mcp` in the project. Readers of the feed hear of changes, and whether one of
 * them shows questions to a person decides if an agent's question can wait.
 */
export class Agents {
  readonly clients: AllClients;
  readonly questions: AllQuestions;
  readonly #presence: PresenceFile;
  #asked = "[]";

  constructor(clients: ConnectedClients, questions: PageQuestions, feed: EventFeed, place: PresencePlace) {
    this.clients = new AllClients(clients, place);
    this.questions = new AllQuestions(questions, place);
    this.#presence = new PresenceFile(place);
    this.clients.follow(() => feed.signal("clients"));
    questions.canAsk = () => feed.hasAnswering;
    questions.follow(() => feed.signal("questions"));
    feed.onAnswering = (answers) => this.#presence.write({ clients: [], questions: [], answers });
    // Other processes come and go without a word.
    feed.onLook = () => {
      const others = readPresences(place);
      this.clients.noteOthers(others.clients);
      const asked = JSON.stringify(others.questions.map(({ id }) => id));
      if (asked !== this.#asked) feed.signal("questions");
      this.#asked = asked;
    };
  }

  close(): void {
    this.#presence.remove();
  }
}
