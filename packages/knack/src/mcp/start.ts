import { PassThrough, type Readable, type Writable } from "node:stream";
import { isRecord, KnackError, parseJson } from "@knack/core/text";
import type { CommandOptions } from "../cli/table/table.ts";
import { LineBuffer, MAX_LINE_BYTES } from "../host/lines.ts";
import { placeAt } from "../host/place.ts";
import {
  type FirstAnswers,
  FirstAnswersFile,
  isFirstRequest,
  isOpening,
  type Request,
  requestKey,
} from "./first-answers.ts";

/** How long the first message may take, and after the first answer the next one, before the server is made ready for it. */
const WAIT_MS = 250;
/** After a list: a client that asks for nothing else may have come to see whether Knack is there. */
const SETTLE_MS = 100;

/**
 * The first messages, before the server is there: what was answered the last time is answered at once, everything is kept, and
 * the server gets all of it when it is ready. It answers again, which the client does not see.
 */
export class Start {
  readonly output: Writable;
  /** By the id of the request: what was answered, as JSON. */
  readonly given = new Map<string | number, string>();
  file: FirstAnswersFile | undefined;
  /** Settles when the server is needed; with an exit code if the client has left and nothing is open. */
  readonly begun: Promise<number | undefined>;
  readonly #begin: (code?: number) => void;
  readonly #options: CommandOptions<"mcp">;
  readonly #input = process.stdin;
  readonly #lines = new LineBuffer();
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #answers: FirstAnswers | undefined;
  #timer: NodeJS.Timeout | undefined;
  #hasEnded = false;
  #isAnswered = true;

  constructor(options: CommandOptions<"mcp">, output: Writable) {
    this.#options = options;
    this.output = output;
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    this.begun = promise;
    this.#begin = (code) => {
      clearTimeout(this.#timer);
      resolve(code);
    };
    this.#input.on("data", this.#take).once("end", this.#end).once("error", this.#end);
    this.#wait(WAIT_MS);
  }

  /** All that came and that is to come, for the server. */
  handOver(): Readable {
    const input = new PassThrough();
    this.#input.off("data", this.#take).off("end", this.#end).off("error", this.#end);
    for (const chunk of this.#chunks) input.write(chunk);
    if (this.#hasEnded) input.end();
    else this.#input.on("error", () => input.end()).pipe(input);
    return input;
  }

  /** Whose answers are kept. `undefined` where the project cannot be found or its trust cannot be read, which the server reports. */
  fileFor(opening: Request): FirstAnswersFile | undefined {
    try {
      this.file ??= new FirstAnswersFile(() => placeAt(this.#options), this.#options.tools, opening);
    } catch (error) {
      if (!(error instanceof KnackError)) throw error;
    }
    return this.file;
  }

  readonly #take = (chunk: Buffer): void => {
    this.#chunks.push(chunk);
    for (const line of this.#lines.add(chunk))
      if ("tooLong" in line || !this.#answer(line.text)) this.#begin();
    this.#bytes += chunk.length;
    // The rest waits in the pipe until the server is there.
    if (this.#bytes > MAX_LINE_BYTES) this.#input.pause();
  };

  readonly #end = (): void => {
    this.#hasEnded = true;
    const isWhole = [...this.#lines.end()].length === 0;
    this.#begin(this.given.size > 0 && this.#isAnswered && isWhole ? 0 : undefined);
  };

  /** Answers whether the server is not needed for this. */
  #answer(line: string): boolean {
    const message = parse(line);
    if (message?.method === "notifications/initialized") return true;
    const result = message && this.#resultOf(message);
    if (!result) {
      this.#isAnswered = false;
      return false;
    }
    const { id } = message;
    this.given.set(id, JSON.stringify(result));
    this.output.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
    this.#wait(isOpening(message) ? WAIT_MS : SETTLE_MS);
    return true;
  }

  #resultOf(message: Message): object | undefined {
    if (message.id === undefined || this.given.has(message.id) || !isFirstRequest(message)) return undefined;
    try {
      if (isOpening(message)) this.#answers = this.fileFor(message)?.read();
    } catch (error) {
      // What is wrong with the configuration or the trust is reported by the server, which then does not start.
      if (!(error instanceof KnackError)) throw error;
    }
    return this.#answers?.results[requestKey(message)];
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#begin(), ms);
  }
}

type Message = Request & { readonly id: string | number };

/** A message, if it is one. Whatever else came is for the server to refuse. */
function parse(line: string): Message | undefined {
  const message = parseJson(line);
  if (!isRecord(message)) return undefined;
  const { jsonrpc, method, params, id } = message;
  const isId = id === undefined || typeof id === "string" || Number.isSafeInteger(id);
  const isRequest = jsonrpc === "2.0" && typeof method === "string" && isId;
  return isRequest && typeof (params ?? {}) === "object" ? (message as unknown as Message) : undefined;
}
