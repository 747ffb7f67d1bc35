import { randomBytes } from "node:crypto";
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Host } from "../host/host.ts";
import { Connection, McpHub } from "./connection.ts";
import { instructions } from "./instructions.ts";
import type { PageQuestions } from "./page-questions.ts";
import { makeServer } from "./server.ts";
import { defineTool, offeredTools } from "./tools.ts";

export type McpEndpoint = ReturnType<typeof openMcpEndpoint>;

interface EndpointOptions {
  readonly limits?: SessionLimits;
  /** Asks on the page what a client cannot ask its user. */
  readonly questions?: PageQuestions;
}

/** MCP over HTTP: revision 2026-07-28 without sessions, those before it with. */
export function openMcpEndpoint(host: Host, { limits, questions }: EndpointOptions = {}) {
  const mcp = new McpHub(host, () => {
    stateless.notify.toolsChanged();
    stateless.notify.promptsChanged();
    stateless.notify.resourcesChanged();
  });
  mcp.questions = questions;
  const stateless = createMcpHandler(
    ({ authInfo }) => makeServer(new Connection(mcp, { caller: authInfo?.clientId ?? "", way: "request" })),
    { legacy: "reject" },
  );
  const sessions = new HttpSessions(mcp, limits);
  return {
    clients: mcp.clients,
    /** What a client gets before its model has called anything. */
    offer: () => {
      const connection = new Connection(mcp, { caller: "", way: "request" });
      const tools = offeredTools(connection);
      return {
        instructions: instructions(connection.session, tools),
        tools: [...tools].map(([name, tool]) => defineTool(name, tool)),
      };
    },
    /** Answers one request. Whether it may come at all (Host, Origin, token, size, type) was decided before. */
    fetch: async (request: Request, caller: string): Promise<Response> => {
      if (await isLegacyRequest(request)) return sessions.fetch(request, caller);
      // The token itself is not needed here.
      return stateless.fetch(request, { authInfo: { token: "", clientId: caller, scopes: [] } });
    },
    close: async (): Promise<void> => {
      mcp.close();
      await sessions.close();
      await stateless.close();
    },
  };
}

export interface SessionLimits {
  readonly maxSessions: number;
  readonly idleMs: number;
}

const LIMITS: SessionLimits = { maxSessions: 1_000, idleMs: 30 * 60_000 };

interface Kept {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Whose token opened it. */
  readonly caller: string;
  readonly close: () => Promise<void>;
  /** Answers that are still being sent, streams among them. */
  open: number;
  lastUsed: number;
}

/** Conversations of the revisions that have sessions. An id is no proof of anything: a session belongs to the token that opened it. */
class HttpSessions {
  readonly #mcp: McpHub;
  readonly #limits: SessionLimits;
  readonly #sessions = new Map<string, Kept>();
  readonly #timer: NodeJS.Timeout;

  constructor(mcp: McpHub, limits: SessionLimits = LIMITS) {
    this.#mcp = mcp;
    this.#limits = limits;
    this.#timer = setInterval(() => void this.#expire(), Math.min(limits.idleMs, 60_000));
    this.#timer.unref();
  }

  async fetch(request: Request, caller: string): Promise<Response> {
    if (request.method === "POST" && /^\s*\[/.test(await request.clone().text()))
      return refusal(
        400,
        "Arrays of messages are not supported; send one message per request.",
        ProtocolErrorCode.InvalidRequest,
      );
    const id = request.headers.get("mcp-session-id");
    if (id === null) return this.#open(request, caller);
    const kept = this.#sessions.get(id);
    if (!kept)
      return refusal(404, "There is no such session; it may have expired. Start again with initialize.");
    if (kept.caller !== caller)
      return refusal(403, "The session belongs to another token. Start your own with initialize.");
    return this.#answer(request, kept);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#sessions.keys()].map((id) => this.#end(id)));
  }

  async #open(request: Request, caller: string): Promise<Response> {
    if (request.method !== "POST")
      return refusal(
        400,
        "The Mcp-Session-Id header is missing. Start with initialize and send the id from its answer.",
      );
    if (!(await this.#makeRoom()))
      return refusal(503, "Too many sessions are in use; end one with DELETE, or try again later.");
    const connection = new Connection(this.#mcp, { caller, way: "http" });
    const server = makeServer(connection);
    let unkeep = (): void => {};
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomBytes(32).toString("base64url"),
      onsessioninitialized: (id) => {
        unkeep = this.#mcp.keep(connection);
        this.#sessions.set(id, kept);
      },
      onsessionclosed: (id) => void this.#end(id),
    });
    const close = async (): Promise<void> => {
      unkeep();
      await server.close();
    };
    const kept: Kept = { transport, caller, close, open: 0, lastUsed: performance.now() };
    await server.connect(transport);
    const response = await this.#answer(request, kept);
    // Whatever did not open a session has had its answer.
    if (transport.sessionId === undefined || !this.#sessions.has(transport.sessionId)) await close();
    return response;
  }

  async #answer(request: Request, kept: Kept): Promise<Response> {
    const done = (): void => {
      kept.open--;
      kept.lastUsed = performance.now();
    };
    kept.open++;
    kept.lastUsed = performance.now();
    let response: Response;
    try {
      response = await kept.transport.handleRequest(request);
    } catch (error) {
      done();
      throw error;
    }
    if (!response.body) {
      done();
      return response;
    }
    const ending = { flush: done, cancel: done };
    const body = response.body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(ending));
    return new Response(body, response);
  }

  /** Of the token that has most, the one that was idle longest goes; false where all are busy. */
  async #makeRoom(): Promise<boolean> {
    if (this.#sessions.size < this.#limits.maxSessions) return true;
    const counts = new Map<string, number>();
    for (const { caller } of this.#sessions.values()) counts.set(caller, (counts.get(caller) ?? 0) + 1);
    const has = ({ caller }: Kept): number => counts.get(caller) ?? 0;
    const idle = [...this.#sessions].filter(([, { open }]) => open === 0);
    const [oldest] = idle.sort(([, a], [, b]) => has(b) - has(a) || a.lastUsed - b.lastUsed);
    if (!oldest) return false;
    await this.#end(oldest[0]);
    return true;
  }

  async #expire(): Promise<void> {
    const before = performance.now() - this.#limits.idleMs;
    for (const [id, { open, lastUsed }] of this.#sessions)
      if (open === 0 && lastUsed < before) await this.#end(id);
  }

  async #end(id: string): Promise<void> {
    const kept = this.#sessions.get(id);
    this.#sessions.delete(id);
    await kept?.close();
  }
}

function refusal(status: number, message: string, code = -32_000): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
