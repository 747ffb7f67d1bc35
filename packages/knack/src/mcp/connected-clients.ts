import { randomUUID } from "node:crypto";
import * as z from "zod";

/** A client that talks to Knack now. */
export const connectedClientSchema = z.strictObject({
  id: z.string(),
  /** What it calls itself, which proves nothing. */
  name: z.string(),
  version: z.string(),
  transport: z.enum(["stdio", "http"]),
  since: z.iso.datetime(),
  /** When it last asked for anything. */
  last_seen: z.iso.datetime(),
  /** How often it called a tool. */
  calls: z.int().min(0),
});
export type ConnectedClient = z.infer<typeof connectedClientSchema>;

/** What a client says of itself. */
export interface ClientInfo {
  readonly name?: unknown;
  readonly version?: unknown;
}

interface Seen {
  readonly client: ConnectedClient;
  /** It did more than say hello: who only asks whether Knack is there is no client. */
  isGreeted: boolean;
}

/** A client without a session counts as connected for so long after its last request. */
const STATELESS_MS = 10 * 60_000;
const MAX_STATELESS = 100;
const MAX_NAME = 64;
/** Changes within this time become one event. */
const REPORT_MS = 250;

/** The clients of one process, with and without sessions. */
export class ConnectedClients {
  readonly #seen = new WeakMap<object, Seen>();
  readonly #lasting = new Set<object>();
  /** By name and version: each request is a connection of its own. */
  readonly #stateless = new Map<string, Seen>();
  /** Called when the list may be another. */
  onChange: () => void = () => {};
  #timer: NodeJS.Timeout | undefined;

  /** From now on the connection is listed, until the answer is called. */
  keep(connection: object): () => void {
    this.#lasting.add(connection);
    this.#changed();
    return () => {
      if (this.#lasting.delete(connection)) this.#changed();
    };
  }

  /** A message came over a connection that may be kept. */
  onMessage(
    connection: object,
    transport: ConnectedClient["transport"],
    method: string,
    info: ClientInfo,
  ): void {
    const seen = this.#seen.get(connection) ?? newSeen(transport);
    this.#seen.set(connection, seen);
    this.#note(seen, method, info);
  }

  /** A request came that belongs to no session. */
  onStatelessMessage(method: string, info: ClientInfo): void {
    const key = JSON.stringify([clientText(info.name), clientText(info.version)]);
    const seen = this.#stateless.get(key) ?? newSeen("http");
    // The last one that sent something is the last of the map.
    this.#stateless.delete(key);
    this.#stateless.set(key, seen);
    const [oldest] = this.#stateless.keys();
    if (this.#stateless.size > MAX_STATELESS && oldest !== undefined) this.#stateless.delete(oldest);
    this.#note(seen, method, info);
  }

  list(now = new Date()): ConnectedClient[] {
    const lasting = [...this.#lasting].flatMap((connection) => this.#seen.get(connection) ?? []);
    const recent = [...this.#stateless.values()].filter(
      ({ client }) => now.getTime() - Date.parse(client.last_seen) < STATELESS_MS,
    );
    const greeted = [...lasting, ...recent].filter(({ isGreeted }) => isGreeted);
    return greeted.map(({ client }) => ({ ...client, name: client.name || "unknown" }));
  }

  #note(seen: Seen, method: string, info: ClientInfo): void {
    const { client } = seen;
    if (info.name !== undefined) {
      client.name = clientText(info.name);
      client.version = clientText(info.version);
    }
    client.last_seen = new Date().toISOString();
    if (method === "tools/call") client.calls++;
    if (method !== "initialize" && method !== "server/discover") seen.isGreeted = true;
    this.#changed();
  }

  #changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.onChange();
    }, REPORT_MS).unref();
  }
}

function newSeen(transport: ConnectedClient["transport"]): Seen {
  const since = new Date().toISOString();
  const client = { id: randomUUID(), name: "", version: "", transport, since, last_seen: since, calls: 0 };
  return { client, isGreeted: false };
}

/** What a client says of itself may have any length and any characters. */
export function clientText(given: unknown): string {
  if (typeof given !== "string") return "";
  return given
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .trim()
    .slice(0, MAX_NAME)
    .toWellFormed();
}
