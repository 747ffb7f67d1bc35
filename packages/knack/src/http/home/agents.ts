import type { ConnectedClient, ConnectedClients } from "../../mcp/connected-clients.ts";
import type { OpenQuestion, PageQuestions, QuestionAnswer } from "../../mcp/page-questions.ts";
import { type PresencePlace, presenceFile, readPresences } from "../../mcp/presence.ts";
import type { EventFeed } from "../event-feed.ts";

export type Agents = ReturnType<typeof agents>;

/**
 * The agents of this server and of each `knack mcp` in the project. Readers of the feed hear of changes, and whether one of
 * them shows questions to a person decides if an agent's question can wait.
 */
export function agents(
  clients: ConnectedClients,
  questions: PageQuestions,
  feed: EventFeed,
  place: PresencePlace,
) {
  const presence = presenceFile(place);
  /** How questions of other processes were answered here, until they have seen it. */
  const given = new Map<string, QuestionAnswer>();
  /** What the other processes said at the last look, as JSON. */
  let before = { clients: "[]", questions: "[]" };
  const writePresence = (): void =>
    presence.write({
      answers: feed.hasAnswering(),
      given: [...given].map(([id, answer]) => ({ id, ...answer })),
    });
  clients.onChange = () => feed.signal("clients");
  questions.canAsk = (asker) => feed.hasAnswering(asker);
  questions.onChange = () => feed.signal("questions");
  feed.onAnswering = writePresence;
  // Other processes come and go without a word.
  feed.looks.push(() => {
    const others = readPresences(place);
    const open = others.questions.map(({ id }) => id);
    for (const id of given.keys()) if (!open.includes(id)) given.delete(id);
    const now = { clients: JSON.stringify(others.clients), questions: JSON.stringify(open) };
    if (now.clients !== before.clients) feed.signal("clients");
    if (now.questions !== before.questions) feed.signal("questions");
    before = now;
  });
  return {
    clients: (): ConnectedClient[] =>
      [...clients.list(), ...readPresences(place).clients].sort((a, b) => (a.since < b.since ? 1 : -1)),
    /** The oldest first: it waits least. */
    questions: (): OpenQuestion[] =>
      [...questions.list(), ...readPresences(place).questions].sort((a, b) =>
        a.asked_at < b.asked_at ? -1 : 1,
      ),
    answer: (id: string, answer: QuestionAnswer): boolean => {
      if (questions.answer(id, answer)) return true;
      if (!readPresences(place).questions.some((one) => one.id === id)) return false;
      given.set(id, answer);
      writePresence();
      return true;
    },
    close: presence.remove,
  };
}
