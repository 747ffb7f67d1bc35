import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll } from "vitest";
import type { Folder } from "../../packages/core/src/testing/files.ts";
import { environment, PROGRAM } from "../cli/run.ts";

/** A running `knack serve` on its own port, accessed by real sockets. */
export class Server implements AsyncDisposable {
  readonly process: ChildProcess;
  readonly folder: Folder;
  url = "";
  port = 0;
  stderr = "";
  readonly #env: NodeJS.ProcessEnv;

  private constructor(folder: Folder, args: readonly string[], env: NodeJS.ProcessEnv, program: string) {
    this.folder = folder;
    this.#env = env;
    const port = args.some((arg) => arg === "--listen" || arg === "--port") ? [] : ["--port", "0"];
    this.process = spawn(process.execPath, [program, "serve", ...port, "--json", ...args], {
      cwd: folder.at("repo"),
      env: { ...environment(folder), ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
  }

  static async start(
    folder: Folder,
    {
      args = [],
      env = { KNACK_TRUST: "all" },
      program = PROGRAM,
    }: { args?: readonly string[]; env?: NodeJS.ProcessEnv; program?: string } = {},
  ): Promise<Server> {
    folder.write({ "home/": "", "repo/": "" });
    const server = new Server(folder, args, env, program);
    const lines = createInterface({ input: server.process.stdout! });
    const [line] = await Promise.race([
      once(lines, "line"),
      once(server.process, "exit").then(() => Promise.reject(new Error(server.stderr))),
    ]);
    Object.assign(server, JSON.parse(line));
    return server;
  }

  /** Serves all tests of a file, and disposes of the folder after them. */
  static async forFile(folder: Folder, options?: Parameters<typeof Server.start>[1]): Promise<Server> {
    const server = await Server.start(folder, options);
    afterAll(async () => {
      await server.end();
      folder[Symbol.dispose]();
    });
    return server;
  }

  get token(): string {
    const { KNACK_TOKEN, KNACK_HOME = this.folder.at("home/.knack") } = this.#env;
    return KNACK_TOKEN ?? readFileSync(join(KNACK_HOME, "token"), "utf8").trim();
  }

  /** The headers that every request needs. */
  get bearer(): { readonly Authorization: string } {
    return { Authorization: `Bearer ${this.token}` };
  }

  /** With the token, unless `headers` has another one. */
  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, { headers: { ...this.bearer, ...headers } });
  }

  async json<T = Record<string, unknown>>(path: string): Promise<T> {
    return (await this.get(path)).json() as Promise<T>;
  }

  /** With the token, unless `headers` has another one. */
  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: {
        "Content-Type": "application/json",
        ...this.bearer,
        ...headers,
      },
    });
  }

  /** A raw connection for the test. */
  connect(): Promise<Socket> {
    return connectTo(this.port);
  }

  /** Sends these bytes and returns everything until the connection ends. */
  async raw(bytes: string | Buffer): Promise<string> {
    const socket = await this.connect();
    socket.write(bytes);
    return readAll(socket);
  }

  async end(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return this.process.exitCode;
    const exit = once(this.process, "exit");
    this.process.kill(signal);
    return (await exit)[0] as number | null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }
}

/** Above the well-known ports, and below those that systems give to whoever asks for any port or connects. */
const LASTING_PORTS = { from: 20_000, to: 30_000 };

/** Arguments for a server that comes back on its port: while it is gone, the system gives the port to nobody else. */
export async function lastingPort(): Promise<string[]> {
  for (;;) {
    const port = randomInt(LASTING_PORTS.from, LASTING_PORTS.to);
    const listener = createServer().listen(port, "127.0.0.1");
    const isFree = await once(listener, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    listener.close();
    await once(listener, "close");
    return ["--port", String(port)];
  }
}

export async function connectTo(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

export async function readAll(socket: Socket): Promise<string> {
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  // A reset is an end, too.
  if (!socket.destroyed) await new Promise((done) => socket.once("close", done));
  return text;
}

/** The status of a raw answer; 0 if there was none. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0);
}
