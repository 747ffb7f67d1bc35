import { randomBytes } from "node:crypto";
import type { Config } from "@knack/core";
import { createRequestStateCodec, type RequestStateCodec } from "@modelcontextprotocol/server";
import type { Host } from "../../host/host.ts";
import { ConnectedClients } from "../clients/connected-clients.ts";
import type { AskState } from "../elicitation/ask-state.ts";
import type { AskingCall } from "../elicitation/asking-call.ts";
import type { PageQuestions } from "../elicitation/page-questions.ts";
import { PausedCalls } from "../elicitation/paused-call.ts";
import { SkillEntries } from "../skills-extension/skill-entries.ts";
import { Warnings } from "./warnings.ts";

/** A connection, as far as changes of the skills are its business. */
interface Follower {
  changed(): void;
}

/** What all connections of one process share. */
export class McpHub {
  readonly host: Host;
  /** Which tools clients get, where the command line says so; by default as the configuration says. */
  tools: Config["mcp"]["tools"] | undefined;
  readonly warnings = new Warnings();
  readonly entries = new SkillEntries(this.warnings);
  /** Seals what a question needs to be taken up again; nobody else has the key, and it ends with the process. */
  readonly states: RequestStateCodec<AskState> = createRequestStateCodec({ key: randomBytes(32) });
  /** Calls that wait for an answer to their question. */
  readonly pausedCalls = new PausedCalls<AskingCall>();
  /** Who is connected. */
  readonly clients = new ConnectedClients();
  /** Asks a person on the page of `knack serve` where a client cannot ask. */
  questions: PageQuestions | undefined;
  readonly #connections = new Set<Follower>();
  readonly #unfollow: () => void;

  constructor(host: Host, changed: () => void = () => {}) {
    this.host = host;
    this.#unfollow = host.follow(() => {
      for (const connection of this.#connections) connection.changed();
      changed();
    });
  }

  /** Tells the connection of changes from now on, until the answer is called. */
  keep(connection: Follower): () => void {
    this.#connections.add(connection);
    const leave = this.clients.keep(connection);
    return () => {
      this.#connections.delete(connection);
      leave();
    };
  }

  close(): void {
    this.#unfollow();
    this.pausedCalls.giveUp();
    this.questions?.close();
    this.#connections.clear();
  }
}
