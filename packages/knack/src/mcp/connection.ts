import { hash, randomBytes } from "node:crypto";
import type { Config, Session, SessionEvent, SkillMetadata } from "@knack/core";
import type { ConversationFile } from "@knack/core/session";
import { count } from "@knack/core/telemetry";
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type Implementation,
  type McpServer,
  type RequestStateCodec,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { actorOr } from "../host/access.ts";
import type { Host } from "../host/host.ts";
import { newConversation, type Recordable } from "../host/record.ts";
import { type ClientInfo, ConnectedClients, clientText } from "./connected-clients.ts";
import { Warnings } from "./errors.ts";
import type { PageQuestions } from "./page-questions.ts";
import { type AskingCall, type AskState, PausedCalls } from "./paused-call.ts";
import { SkillEntries } from "./skill-entries.ts";

interface ConnectionOptions {
  /** Whose conversation it is: the name of a token over HTTP, the same for all over standard input. */
  readonly caller: string;
  /** `request`: HTTP without sessions, where each request is a connection. */
  readonly way: "stdio" | "http" | "request";
}

/** One connection is one conversation: what was loaded, what may be done, and a record with the client's name. */
export class Connection {
  readonly mcp: McpHub;
  readonly session: Session;
  readonly caller: string;
  readonly #way: ConnectionOptions["way"];
  #server: McpServer | undefined;
  /** What the client says of itself, as it last did. */
  #info: ClientInfo = {};
  /** Without sessions nobody knows which requests belong together. */
  #conversation: string | null;
  /** The client's own conversation, where it is known. */
  #joined: ConversationFile | undefined;
  #hasListed = false;
  /** What the client was last told of, so that the same is recorded once. */
  #reported = "";

  constructor(mcp: McpHub, { caller, way }: ConnectionOptions) {
    this.mcp = mcp;
    this.caller = caller;
    this.#way = way;
    this.#conversation = way === "request" ? null : newConversation();
    this.session = mcp.host.runtime.session({ observe: async (event) => this.#record(event) });
  }

  /** `pipe` for standard input and output, as telemetry calls it. */
  get transport(): "pipe" | "tcp" {
    return this.#way === "stdio" ? "pipe" : "tcp";
  }

  /** The client has said which conversation this is; hooks and other servers of it know it by the same id. */
  join(conversation: ConversationFile): void {
    if (this.#joined?.id === conversation.id) return;
    this.#joined = conversation;
    this.#conversation = conversation.id;
    this.session.share(conversation);
  }

  get joined(): ConversationFile | undefined {
    return this.#joined;
  }

  /** Takes down what a hook found or did in a conversation. */
  recordHook(event: SessionEvent, conversation: string): void {
    this.#record(event, conversation || null);
  }

  serve(server: McpServer): void {
    this.#server = server;
  }

  onMessage(method: string, info: ClientInfo): void {
    const { clients } = this.mcp;
    if (this.#way === "request") clients.onStatelessMessage(method, info);
    else clients.onMessage(this, this.#way, method, info);
  }

  /** The name that the client gives itself, which proves nothing. */
  client(ctx?: ServerContext): string {
    const info = envelopeOf(ctx)?.[CLIENT_INFO_META_KEY] ?? this.#server?.server.getClientVersion();
    if (info) this.#info = info;
    return clientText(this.#info.name);
  }

  /** The name that records bear: that of the token, which proves something, else of the client. */
  by(ctx?: ServerContext): string {
    return actorOr(`mcp:${this.client(ctx) || "unknown"}`);
  }

  capabilities(ctx: ServerContext): ClientCapabilities | undefined {
    return envelopeOf(ctx)?.[CLIENT_CAPABILITIES_META_KEY] ?? this.#server?.server.getClientCapabilities();
  }

  /** Records that the catalog was shown to the client, once for each state of it. `info`: the client's, where `ctx` has none. */
  offered(ctx?: ServerContext, info: ClientInfo = {}): void {
    if (typeof info.name === "string") this.#info = info;
    this.client(ctx);
    this.#record(async () => {
      const skills = await this.session.visibleTo("model");
      const listed = skills.map(({ name, description, path }) => JSON.stringify([name, description, path]));
      const digest = hash("sha256", listed.join(""));
      if (digest === this.#reported) return undefined;
      this.#reported = digest;
      const data = { query: "", offered: skills.length, sha256: digest };
      return { type: "SKILL_SEARCHED", actor: "model", data };
    });
  }

  /** A `SKILL.md` that was read as a file has been loaded as much as one that a tool gave. */
  loaded({ name, path }: SkillMetadata, sha256: string, ctx: ServerContext): void {
    this.client(ctx);
    const data = { name, path, sha256, ref: null, already_loaded: false };
    this.#record({ type: "SKILL_LOADED", actor: "model", data });
    count("knack.loads", { "knack.skill.name": name, "knack.skill.already_loaded": false });
  }

  /** The role of the caller's token does not allow a tool. */
  refused(tool: string, reason: string, ctx: ServerContext): void {
    this.client(ctx);
    const data = { tool, allowed: false, code: "ACCESS_DENIED", reason };
    this.#record({ type: "PERMISSION_DECIDED", actor: "model", data });
  }

  /** Brings the conversation up to date: what a client asks to be told of is told as it is now. */
  async refresh(): Promise<void> {
    const current = await this.mcp.host.live.refresh();
    // One that is kept has followed already.
    if (this.session.catalog !== current) this.session.adopt();
  }

  /**
   * The same before the tools are listed. The first list of a server that has just read the skills is theirs: it is about to look
   * again, to watch their folders, and then says what has changed.
   */
  async refreshForTools(): Promise<void> {
    const isFirst = !this.#hasListed && this.#way === "stdio";
    this.#hasListed = true;
    if (!isFirst || this.mcp.host.live.watching !== undefined) await this.refresh();
  }

  /** The skills are others now: the conversation goes on with them, and the client is told. */
  changed(): void {
    this.session.adopt();
    this.#server?.sendToolListChanged();
    this.#server?.sendPromptListChanged();
    this.#server?.sendResourceListChanged();
  }

  #record(event: Recordable, conversation = this.#conversation): void {
    const { name, version } = this.#info;
    const client = `${clientText(name) || "unknown"}/${clientText(version) || "unknown"}`;
    this.mcp.host.project.record(event, { by: this.by(), client, conversation });
  }
}

/** What a request of the newer revision says of its client; the SDK has checked it and does not type it. */
function envelopeOf(ctx: ServerContext | undefined):
  | {
      readonly [CLIENT_INFO_META_KEY]?: Implementation;
      readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities;
    }
  | undefined {
  return ctx?.mcpReq.envelope;
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
  readonly #connections = new Set<Connection>();
  readonly #unfollow: () => void;

  constructor(host: Host, changed: () => void = () => {}) {
    this.host = host;
    this.#unfollow = host.live.follow(() => {
      for (const connection of this.#connections) connection.changed();
      changed();
    });
  }

  /** Tells the connection of changes from now on, until the answer is called. */
  keep(connection: Connection): () => void {
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
