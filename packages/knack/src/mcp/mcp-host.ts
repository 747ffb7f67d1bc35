import { randomBytes } from "node:crypto";
import type { Catalog } from "@knack/core";
import { createRequestStateCodec, type RequestStateCodec } from "@modelcontextprotocol/server";
import type { Host } from "../cli/open-host.ts";
import type { AskState } from "./asking.ts";
import type { Connection } from "./connection.ts";
import { SkillEntries } from "./skill-entries.ts";
import { Warnings } from "./warnings.ts";

/** What all connections of one process share. */
export class McpHost {
  readonly host: Host;
  readonly warnings = new Warnings();
  readonly entries = new SkillEntries(this.warnings);
  /** Seals what a question needs to be taken up again; nobody else has the key, and it ends with the process. */
  readonly states: RequestStateCodec<AskState> = createRequestStateCodec({ key: randomBytes(32) });
  readonly #connections = new Set<Connection>();
  readonly #unfollow: () => void;
  #catalog: Catalog;

  constructor(host: Host, changed: () => void = () => {}) {
    this.host = host;
    this.#catalog = host.runtime.catalog;
    this.#unfollow = host.follow((next) => {
      this.#catalog = next;
      for (const connection of this.#connections) connection.changed(next);
      changed();
    });
  }

  /** The newest snapshot that is known: new conversations begin with it. */
  get catalog(): Catalog {
    return this.#catalog;
  }

  /** Tells the connection of changes from now on, until the answer is called. */
  keep(connection: Connection): () => void {
    this.#connections.add(connection);
    return () => this.#connections.delete(connection);
  }

  close(): void {
    this.#unfollow();
    this.#connections.clear();
  }
}
