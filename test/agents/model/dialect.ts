import type { ServerResponse } from "node:http";

/** A tool as the client sends it to the model. */
export interface SentTool {
  readonly name: string;
  /** Its whole definition, as the request has it. */
  readonly json: string;
  /** The client only names it; the model must ask for the rest. */
  readonly isDeferred: boolean;
}

/** What a model gets back of one of its calls. */
interface Result {
  /** The call's id; of clients that send none, its place. */
  readonly id: string;
  readonly text: string;
}

/** One request of a client, in one form for all four protocols. */
export interface Asked {
  readonly tools: readonly SentTool[];
  /** Everything the client says before the conversation. */
  readonly system: string;
  /** What the user said, with all that the client adds to it. */
  readonly user: string;
  readonly results: readonly Result[];
  readonly isStreaming: boolean;
}

export interface Call {
  readonly id: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What the model says: one call, or a text that ends its turn. */
export type Reply = { readonly call: Call } | { readonly text: string };

export interface Dialect {
  readonly name: string;
  /** Does this path ask the model to continue a conversation? */
  isTurn(path: string): boolean;
  read(body: Body, path: string): Asked;
  write(response: ServerResponse, reply: Reply, asked: Asked): void;
}

// biome-ignore lint/suspicious/noExplicitAny: four protocols, each read in one place and nowhere else
export type Body = any;

/** The text of content that is a string, a list of blocks, or anything else. */
export function textOf(content: Body): string {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(textOf).join("\n");
  if (typeof content.text === "string") return content.text;
  return JSON.stringify(content);
}

/** Whether a tool takes a text instead of an object: OpenAI calls such tools custom. */
export function takesText(tools: readonly SentTool[], name: string): boolean {
  return tools.some((tool) => tool.name === name && /^\{"type":"custom"/.test(tool.json));
}

export function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** Sends server-sent events; `event` only where the protocol names them. */
export function sendEvents(
  response: ServerResponse,
  events: readonly { readonly event?: string; readonly data: object | string }[],
): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const { event, data } of events) {
    const text = typeof data === "string" ? data : JSON.stringify(data);
    response.write(`${event === undefined ? "" : `event: ${event}\n`}data: ${text}\n\n`);
  }
  response.end();
}
