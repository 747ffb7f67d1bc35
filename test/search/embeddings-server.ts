import { type ChildProcess, spawn } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { json } from "node:stream/consumers";

/** The process of `embeddings-model.ts`. */
export class ModelProcess implements AsyncDisposable {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#process = child;
  }

  static async start(): Promise<ModelProcess> {
    const script = join(import.meta.dirname, "embeddings-model.ts");
    const child = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "inherit"] });
    const [url] = await once(createInterface({ input: child.stdout }), "line");
    return new ModelProcess(url, child);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#process, "exit");
    this.#process.stdin?.end();
    await ended;
  }
}

interface Asked {
  readonly texts: readonly string[];
  readonly model: string;
  readonly headers: IncomingHttpHeaders;
}

type Answer = (asked: Asked, response: ServerResponse) => void | Promise<void>;

/** An endpoint in this process that answers as a test says, and keeps what it was asked. */
export class Endpoint implements AsyncDisposable {
  readonly asked: Asked[] = [];
  answer: Answer;
  /** The most requests at one time. */
  mostAtOnce = 0;
  readonly #server: Server;
  #now = 0;

  private constructor(answer: Answer) {
    this.answer = answer;
    this.#server = createServer(async (request, response) => {
      this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#now);
      response.on("close", () => this.#now--);
      if (request.url !== "/v1/embeddings" || request.method !== "POST") {
        response.writeHead(404).end();
        return;
      }
      const { model, input } = (await json(request)) as { model: string; input: string[] };
      const asked = { texts: input, model, headers: request.headers };
      this.asked.push(asked);
      await this.answer(asked, response);
    });
  }

  static async start(answer: Answer = answerWords): Promise<Endpoint> {
    const endpoint = new Endpoint(answer);
    endpoint.#server.listen(0, "127.0.0.1");
    await once(endpoint.#server, "listening");
    return endpoint;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** All texts that it was asked for. */
  get texts(): string[] {
    return this.asked.flatMap(({ texts }) => texts);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

/** A vector that counts words, with some words for the same thing: enough to find a skill that shares no word with a request. */
export function wordVector(text: string, dimension = 64): number[] {
  const vector = new Array<number>(dimension).fill(0.01);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const place = hash("sha1", SAME[word] ?? word, "buffer").readUInt16LE(0) % dimension;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
}

const SAME: Readonly<Record<string, string>> = { automobile: "car", vehicle: "car", repair: "fix" };

export function answerWords({ texts }: Pick<Asked, "texts">, response: ServerResponse): void {
  sendVectors(
    response,
    texts.map((text) => wordVector(text)),
  );
}

export function sendVectors(response: ServerResponse, vectors: readonly unknown[]): void {
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify({ data: vectors.map((embedding, index) => ({ embedding, index })) }));
}
