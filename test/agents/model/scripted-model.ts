import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropic } from "./anthropic.ts";
import { chat } from "./chat.ts";
import { type Around, Conversation, type Script } from "./conversation.ts";
import { type Dialect, sendJson } from "./dialect.ts";
import { gemini } from "./gemini.ts";
import { responses } from "./responses.ts";

const DIALECTS: readonly Dialect[] = [anthropic, chat, responses, gemini];

export interface ScriptedModel extends AsyncDisposable {
  /** `http://127.0.0.1:port`; each client adds the path that it is used to. */
  readonly url: string;
  /** Hosts that the clients tried to reach beyond loopback, and could not. */
  readonly refused: Set<string>;
  /** Begins a conversation; every request from now on belongs to it. */
  begin(script: Script, around?: Around): Conversation;
}

/**
 * A model on loopback that follows a script, in the four protocols that the clients speak.
 * It is also the proxy that the clients are given: it refuses every host and remembers which.
 */
export async function openScriptedModel(): Promise<ScriptedModel> {
  let current: Conversation | undefined;
  const refused = new Set<string>();
  const server = createServer((request, response) => {
    answer(request, response, () => current, refused).catch((error: unknown) => {
      current?.problems.push(`the scripted model failed: ${error}`);
      response.destroy();
    });
  });
  server.on("connect", (request, socket) => {
    refused.add(request.url ?? "");
    // A client that was refused may close first.
    socket.on("error", () => socket.destroy());
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    begin: (script, around) => {
      current = new Conversation(script, around);
      return current;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  current: () => Conversation | undefined,
  refused: Set<string>,
): Promise<void> {
  const path = request.url ?? "";
  if (/^https?:/.test(path)) {
    refused.add(new URL(path).host);
    response.writeHead(403).end();
    return;
  }
  const body = await bodyOf(request);
  const dialect = DIALECTS.find((one) => one.isTurn(path));
  if (request.method !== "POST" || !dialect) return sendJson(response, smallTalk(path, body));
  const asked = dialect.read(JSON.parse(body), path);
  dialect.write(response, current()?.reply(asked, body) ?? { text: "ok" }, asked);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** Lists of models and counts of tokens, which some clients ask for first. */
function smallTalk(path: string, body: string): object {
  const tokens = Math.ceil(Buffer.byteLength(body) / 4);
  if (/count_?tokens/i.test(path)) return { input_tokens: tokens, totalTokens: tokens };
  return { object: "list", data: [{ id: "scripted", object: "model" }], models: [] };
}
