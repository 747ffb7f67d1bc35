import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Folder } from "../../packages/core/src/testing/files.ts";
import { environment, PROGRAM } from "../cli/run.ts";

/** One span as it arrived. */
export interface ReceivedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly startTimeUnixNano: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
}

interface Received {
  readonly path: string;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

/** An OTLP/HTTP collector on loopback that keeps everything. */
export class Receiver implements AsyncDisposable {
  readonly requests: Received[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** `status`: what it answers; `null`: it never answers. */
  static async start(status: number | null = 200): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on("request", async (request, response) => {
      let text = "";
      for await (const chunk of request.setEncoding("utf8")) text += chunk;
      receiver.requests.push({ path: request.url ?? "", headers: request.headers, text });
      if (status !== null) response.writeHead(status, { "Content-Type": "application/json" }).end("{}");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get env(): NodeJS.ProcessEnv {
    return { OTEL_EXPORTER_OTLP_ENDPOINT: this.url };
  }

  get text(): string {
    return this.requests.map(({ path, text }) => `${path} ${text}`).join("\n");
  }

  get spans(): ReceivedSpan[] {
    return this.#bodies("/v1/traces")
      .flatMap(({ resourceSpans }) => resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        ...span,
        parentSpanId: span.parentSpanId ?? "",
        attributes: attributesOf(span.attributes),
        failed: span.status?.code === 2,
        links: span.links ?? [],
      }));
  }

  get resource(): Readonly<Record<string, unknown>> {
    const [body] = this.#bodies("/v1/traces");
    return attributesOf(body.resourceSpans[0].resource.attributes);
  }

  /** Each metric with its points: labels and value. */
  get metrics(): ReadonlyMap<string, readonly { labels: Record<string, unknown>; value: number }[]> {
    const metrics = this.#bodies("/v1/metrics")
      .flatMap(({ resourceMetrics }) => resourceMetrics)
      .flatMap(({ scopeMetrics }) => scopeMetrics)
      .flatMap(({ metrics }) => metrics);
    return new Map(
      metrics.map(({ name, sum, gauge, histogram }) => [
        name,
        (sum ?? gauge ?? histogram).dataPoints.map(
          // biome-ignore lint/suspicious/noExplicitAny: as it arrived
          ({ attributes, asInt, asDouble, count }: any) => ({
            labels: attributesOf(attributes),
            value: Number(asInt ?? asDouble ?? count),
          }),
        ),
      ]),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  // biome-ignore lint/suspicious/noExplicitAny: as it arrived
  #bodies(path: string): any[] {
    return this.requests.filter((one) => one.path === path).map(({ text }) => JSON.parse(text));
  }
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

function attributesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** The names of spans, each below its parent and indented, in the order in which they began. */
export function treeOf(spans: readonly ReceivedSpan[], parent = "", depth = 0): string[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const own = spans.filter(({ parentSpanId }) =>
    parent === "" ? !ids.has(parentSpanId) : parentSpanId === parent,
  );
  own.sort((a, b) => (BigInt(a.startTimeUnixNano) < BigInt(b.startTimeUnixNano) ? -1 : 1));
  return own.flatMap(({ name, spanId }) => [
    `${"  ".repeat(depth)}${name}`,
    ...treeOf(spans, spanId, depth + 1),
  ]);
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built program as a process, while this one receives what it sends. `input`: its standard input. */
export async function runProgram(
  folder: Folder,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  input = "",
): Promise<Ended> {
  folder.write({ "home/": "", "repo/": "" });
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: folder.at("repo"),
    env: { ...environment(folder), KNACK_TRUST: "all", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}
