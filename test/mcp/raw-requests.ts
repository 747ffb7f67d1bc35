import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { REPO } from "../cli/run.ts";
import type { HttpServer } from "./ways.ts";

/** Raw requests, without a client library. */

export const project = (): Folder =>
  makeFolder({ "repo/.git/": "", [`${REPO}/good/SKILL.md`]: skillText("good") });

export const ACCEPT = { "content-type": "application/json", accept: "application/json, text/event-stream" };

export interface Answer {
  readonly status: number;
  readonly session: string | null;
  readonly message: {
    readonly result?: Record<string, unknown>;
    readonly error?: { readonly code: number; readonly message: string };
  };
}

export async function post(
  { url }: HttpServer,
  body: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method: "POST",
    headers: { ...ACCEPT, ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", ...body }),
  });
  const text = await response.text();
  const json = response.headers.get("content-type")?.includes("event-stream")
    ? text.replace(/^[\s\S]*?data: /, "")
    : text;
  return {
    status: response.status,
    session: response.headers.get("mcp-session-id"),
    message: json.trim() === "" ? {} : JSON.parse(json.split("\n")[0] ?? ""),
  };
}

export const INITIALIZE = {
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

/** Messages as `knack mcp` reads them. */
export const lines = (...messages: object[]): string =>
  messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");

export const begin = (server: HttpServer, headers: Record<string, string> = {}): Promise<Answer> =>
  post(server, INITIALIZE, headers);

export const ping = (
  server: HttpServer,
  session: string | null,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  post(server, { id: 2, method: "ping" }, { "mcp-session-id": session ?? "", ...headers });
