import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { parseJson } from "@knack/core/text";
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  ProtocolErrorCode,
  type Transport,
} from "@modelcontextprotocol/server";
import { LineBuffer, MAX_LINE_BYTES, messageLine } from "../host/lines.ts";

/** How long the next answer may take after the end of the input; a run may take longer, and is ended. */
const GRACE_MS = 2_000;

/** Sees each message. */
export interface LineWatcher {
  received(message: JSONRPCMessage): void;
  /** Answers whether the client gets it. */
  sends(message: JSONRPCMessage): boolean;
}

/**
 * One message a line. Unlike the SDK's own it answers what is no message, with the protocol's code for it; it does nothing more
 * while nobody takes its answers; and a line that is too long ends the connection before it is in memory.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #watcher: LineWatcher | undefined;
  readonly #lines = new LineBuffer();
  #isClosed = false;
  #hasEnded = false;
  #grace: NodeJS.Timeout | undefined;
  /** The client does not read its answers: incoming messages wait here. */
  #isStalled = false;
  #waiting: Buffer[] = [];
  /** Requests that have no answer yet. */
  readonly #open = new Set<string | number>();
  /** The server's own, which the client has not answered. */
  readonly #asked = new Set<string | number>();
  /** A line was too long: whoever speaks so does not speak this protocol. */
  isBroken = false;

  constructor(input: Readable, output: Writable, watcher?: LineWatcher) {
    this.#input = input;
    this.#output = output;
    this.#watcher = watcher;
  }

  async start(): Promise<void> {
    this.#output.on("error", () => void this.close());
    this.#input.on("data", (chunk: Buffer) => {
      if (this.#isStalled) this.#hold(chunk);
      else this.#take(chunk);
    });
    this.#input.on("error", () => void this.close());
    this.#input.on("end", () => {
      this.#hasEnded = true;
      // Not only while something else keeps the process: it must end as it should.
      this.#grace = setTimeout(() => void this.close(), GRACE_MS);
      for (const id of this.#asked) this.#answerFor(id);
      this.#closeIfDone();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    if (this.#watcher?.sends(message) === false) {
      if ("id" in message && message.id !== undefined) this.#settle(message.id);
      return;
    }
    if (isJSONRPCRequest(message)) {
      this.#asked.add(message.id);
      if (this.#hasEnded) setImmediate(() => this.#answerFor(message.id));
    }
    const hasRoom = this.#output.write(`${messageLine(message)}\n`, () => {
      if (isJSONRPCResponse(message) && message.id !== undefined) this.#settle(message.id);
    });
    if (hasRoom || this.#isStalled) return;
    this.#isStalled = true;
    await once(this.#output, "drain");
    this.#goOn();
  }

  /** After the end of the input nobody answers a question any more. */
  #answerFor(id: string | number): void {
    this.#asked.delete(id);
    const error = { code: ProtocolErrorCode.InternalError, message: "The client has left." };
    this.onmessage?.({ jsonrpc: "2.0", id, error });
  }

  /** Some is read on, because behind it the end of the input may be, which must not be missed. */
  #hold(chunk: Buffer): void {
    this.#waiting.push(chunk);
    const bytes = this.#waiting.reduce((sum, { length }) => sum + length, 0);
    if (bytes > MAX_LINE_BYTES) this.#input.pause();
  }

  #goOn(): void {
    this.#isStalled = false;
    while (!this.#isStalled && !this.#isClosed) {
      const chunk = this.#waiting.shift();
      if (!chunk) break;
      this.#take(chunk);
    }
    if (this.#isStalled || this.#isClosed) return;
    this.#input.resume();
    this.#closeIfDone();
  }

  #settle(id: string | number): void {
    this.#open.delete(id);
    this.#grace?.refresh();
    this.#closeIfDone();
  }

  #closeIfDone(): void {
    if (this.#hasEnded && this.#open.size === 0 && this.#waiting.length === 0) void this.close();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#grace);
    this.#waiting = [];
    this.#input.pause();
    this.onclose?.();
  }

  #take(chunk: Buffer): void {
    for (const line of this.#lines.add(chunk)) {
      if (this.#isClosed) return;
      if ("tooLong" in line) this.#break();
      else this.#read(line.text);
    }
    if (this.#lines.isTooLong && !this.#isClosed) this.#break();
  }

  #break(): void {
    this.#refuse(
      null,
      ProtocolErrorCode.InvalidRequest,
      `The message is too long; at most ${MAX_LINE_BYTES} bytes are allowed.`,
    );
    this.isBroken = true;
    void this.close();
  }

  #read(text: string): void {
    const message = parseJson(text);
    if (message instanceof SyntaxError) {
      this.#refuse(null, ProtocolErrorCode.ParseError, "The line is not JSON.");
      return;
    }
    if (isJSONRPCRequest(message) || isJSONRPCNotification(message) || isJSONRPCResponse(message)) {
      if (isJSONRPCRequest(message) && message.method !== "subscriptions/listen") this.#open.add(message.id);
      if (isJSONRPCResponse(message) && message.id !== undefined) this.#asked.delete(message.id);
      this.#watcher?.received(message);
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

function faultOf(message: unknown): { readonly code: number; readonly what: string } {
  if (Array.isArray(message))
    return { code: ProtocolErrorCode.InvalidRequest, what: "Arrays of messages are not supported." };
  if (isJSONRPCRequest({ ...Object(message), params: {} }))
    return { code: ProtocolErrorCode.InvalidParams, what: "The parameters must be an object." };
  return { code: ProtocolErrorCode.InvalidRequest, what: "This is not a JSON-RPC message." };
}

function idOf(message: unknown): string | number | null {
  const id = typeof message === "object" && message !== null && "id" in message ? message.id : null;
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : null;
}
