import type { ConnectedClient, ConnectedClients } from "../../mcp/clients/connected-clients.ts";
import { readPresences } from "../../mcp/clients/presence-files.ts";
import type { PresencePlace } from "../../mcp/clients/project-folder.ts";

/** The clients of this server and of every `knack mcp` that serves the same project. */
export class AllClients {
  readonly #own: ConnectedClients;
  readonly #place: PresencePlace;
  readonly #listeners = new Set<() => void>();
  #others = "[]";

  constructor(own: ConnectedClients, place: PresencePlace) {
    this.#own = own;
    this.#place = place;
    own.follow(() => this.#tell());
  }

  /** The newest first. */
  list(): ConnectedClient[] {
    const all = [...this.#own.list(), ...readPresences(this.#place).clients];
    return all.sort((a, b) => (a.since < b.since ? 1 : -1));
  }

  follow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Other processes come and go without a word: what they have written is compared with the last look. */
  noteOthers(others: readonly ConnectedClient[]): void {
    const now = JSON.stringify(others);
    if (now === this.#others) return;
    this.#others = now;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
