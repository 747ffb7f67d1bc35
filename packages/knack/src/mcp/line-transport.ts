import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  ProtocolErrorCode,
  type Transport,
} from "@modelcontextprotocol/server";

const NEWLINE = 0x0a;
export const MAX_LINE_BYTES = 4 * 1024 * 1024;
/** How long what was asked before the end of the input may take to be answered; a run may take longer, and is ended. */
const GRACE_MS = 2_000;

/**
 * One message a line. Unlike the SDK's own it answers what is no message, with the protocol's code for it; it stops reading
 * while nobody takes its answers; and a line that is too long ends the connection before it is in memory.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  #parts: Buffer[] = [];
  #length = 0;
  #isClosed = false;
  #hasEnded = false;
  /** Requests that have no answer yet. */
  readonly #open = new Set<string | number>();
  /** A line was too long: whoever speaks so does not speak this protocol. */
  isBroken = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#output.on("error", () => void this.close());
    this.#input.on("data", (chunk: Buffer) => this.#take(chunk));
    this.#input.on("error", () => void this.close());
    this.#input.on("end", () => {
      this.#hasEnded = true;
      setTimeout(() => void this.close(), GRACE_MS).unref();
      this.#closeIfDone();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    const isTaken = this.#output.write(`${lineOf(message)}\n`);
    if (isJSONRPCResponse(message) && message.id !== undefined) this.#settle(message.id);
    if (isTaken) return;
    this.#input.pause();
    await once(this.#output, "drain");
    if (!this.#isClosed) this.#input.resume();
  }

  #settle(id: string | number): void {
    this.#open.delete(id);
    this.#closeIfDone();
  }

  #closeIfDone(): void {
    if (this.#hasEnded && this.#open.size === 0) void this.close();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#parts = [];
    this.#input.pause();
    this.onclose?.();
  }

  #take(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      if (!this.#add(chunk.subarray(start, end))) return;
      start = end + 1;
      const text = Buffer.concat(this.#parts).toString("utf8");
      this.#parts = [];
      this.#length = 0;
      if (text.trim() !== "") this.#read(text);
    }
    this.#add(chunk.subarray(start));
  }

  #add(part: Buffer): boolean {
    if (this.#isClosed) return false;
    this.#length += part.length;
    this.#parts.push(part);
    if (this.#length <= MAX_LINE_BYTES) return true;
    this.#refuse(null, ProtocolErrorCode.InvalidRequest, `A message has at most ${MAX_LINE_BYTES} bytes.`);
    this.isBroken = true;
    void this.close();
    return false;
  }

  #read(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      this.#refuse(null, ProtocolErrorCode.ParseError, "The line is not JSON.");
      return;
    }
    if (isJSONRPCRequest(message) || isJSONRPCNotification(message) || isJSONRPCResponse(message)) {
      if (isJSONRPCRequest(message) && message.method !== "subscriptions/listen") this.#open.add(message.id);
      this.onmessage?.(message);
      const { method, params } = message as JSONRPCNotification;
      if (method === "notifications/cancelled") this.#settle(params?.requestId as string | number);
      return;
    }
    const { code, what } = faultOf(message);
    this.#refuse(idOf(message), code, what);
  }

  #refuse(id: string | number | null, code: number, message: string): void {
    // The protocol's type has no null id, which JSON-RPC asks for where the id is not known.
    void this.send({ jsonrpc: "2.0", id, error: { code, message } } as JSONRPCMessage);
  }
}

/** Parameters come back in an answer, and they may be nested more deeply than can be written. */
function lineOf(message: JSONRPCMessage): string {
  try {
    return JSON.stringify(message);
  } catch (error) {
    if (!(error instanceof RangeError) || !("id" in message)) throw error;
    const failure = {
      code: ProtocolErrorCode.InvalidParams,
      message: "The parameters are nested too deeply.",
    };
    return JSON.stringify({ jsonrpc: "2.0", id: message.id, error: failure });
  }
}

function faultOf(message: unknown): { readonly code: number; readonly what: string } {
  if (Array.isArray(message))
    return {
      code: ProtocolErrorCode.InvalidRequest,
      what: "Arrays of messages are not part of the protocol.",
    };
  if (isJSONRPCRequest({ ...Object(message), params: {} }))
    return { code: ProtocolErrorCode.InvalidParams, what: "The parameters must be an object." };
  return { code: ProtocolErrorCode.InvalidRequest, what: "This is no message." };
}

function idOf(message: unknown): string | number | null {
  const id = typeof message === "object" && message !== null && "id" in message ? message.id : null;
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : null;
}
