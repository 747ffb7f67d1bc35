import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { type Folder, makeFolder } from "../../packages/core/src/testing/files.ts";
import type { QueueReport } from "../../packages/engine/src/queue/list-queue.ts";
import { openPostgres, type PostgresDatabase } from "../../packages/engine/src/store/postgres/postgres.ts";
import type { SharedServer } from "../../packages/engine/src/store/testing/postgres/server.ts";
import { sharedServer } from "../../packages/engine/src/store/testing/postgres/shared-server.ts";
import { environment, knack } from "../cli/run.ts";

/** Real machines but for the hardware: processes with homes and projects of their own that share nothing but the database. */

const PROGRAM = join(import.meta.dirname, "../../packages/knack/bin/knack.js");

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a command prints, and each test knows what that is.
  json(): any;
}

/** One line of `knack worker --json`. */
export interface WorkerLine {
  readonly event: "ready" | "start" | "end" | "taken-over" | "away" | "back" | "trouble";
  readonly id?: string;
  readonly skill?: string;
  readonly how?: string;
  readonly status?: string;
  readonly cached?: boolean;
  readonly worker?: string;
  /** When the test read it. */
  readonly at: number;
}

export class WorkerProcess implements AsyncDisposable {
  readonly lines: WorkerLine[] = [];
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  stderr = "";

  constructor(child: ChildProcess) {
    this.child = child;
    createInterface({ input: child.stdout! }).on("line", (line) =>
      this.lines.push({ ...JSON.parse(line), at: performance.now() }),
    );
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    this.ended = once(child, "close").then(([code, signal]) => ({ code, signal }));
  }

  async until(found: (line: WorkerLine) => boolean, ms = 120_000): Promise<WorkerLine> {
    for (const end = performance.now() + ms; ; ) {
      const line = this.lines.find(found);
      if (line) return line;
      if (performance.now() > end || this.child.exitCode !== null)
        throw new Error(
          `The worker did not say it:\n${this.lines.map((l) => JSON.stringify(l)).join("\n")}\n${this.stderr}`,
        );
      await wait(5);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill("SIGKILL");
    await this.ended;
  }
}

export class Machine implements Disposable {
  readonly folder: Folder;
  readonly #env: NodeJS.ProcessEnv;

  constructor(folder: Folder, env: NodeJS.ProcessEnv) {
    this.folder = folder;
    this.#env = env;
  }

  start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
    return spawn(process.execPath, [PROGRAM, ...args], {
      cwd: this.folder.at("repo"),
      env: { ...environment(this.folder), ...this.#env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  async knack(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return endOf(this.start(args, env));
  }

  /** A command in this process: a fifth of the time. It must not wait for anything that the test does. */
  quick(...args: readonly string[]): string {
    const { code, stdout, stderr } = knack(this.folder, args, { env: this.#env });
    if (code !== 0) throw new Error(stderr);
    return stdout;
  }

  trust(): void {
    this.quick("trust", "--yes");
  }

  /** Queues a run without waiting for it; its id. */
  async enqueue(...run: readonly string[]): Promise<string> {
    return JSON.parse(this.quick("run", ...run, "--queue", "--no-wait", "--json")).id;
  }

  /** A worker that has said that it is ready. */
  async worker(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<WorkerProcess> {
    const worker = new WorkerProcess(this.start(["worker", "--json", ...args], env));
    await worker.until(({ event }) => event === "ready");
    return worker;
  }

  async queue(): Promise<QueueReport> {
    return JSON.parse(this.quick("queue", "--json"));
  }

  [Symbol.dispose](): void {
    this.folder[Symbol.dispose]();
  }
}

export async function endOf(child: ChildProcess): Promise<Ended> {
  let [stdout, stderr] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [code, signal] = await once(child, "close");
  return {
    code,
    signal,
    stdout,
    stderr,
    json: () => {
      try {
        return JSON.parse(stdout);
      } catch {
        throw new Error(`No JSON (exit ${code}):\n${stdout}\n${stderr}`);
      }
    },
  };
}

/** Ends when the program has written the text; call it before that can be. */
export function saysOnStderr(child: ChildProcess, text: string): Promise<void> {
  let written = "";
  return new Promise((resolve, reject) => {
    child.stderr?.setEncoding("utf8").on("data", (more: string) => {
      written += more;
      if (written.includes(text)) resolve();
    });
    child.once("close", () => reject(new Error(`It ended without "${text}": ${written}`)));
  });
}

/** A database, and machines that use it; without the server, which others use. */
export class Team implements AsyncDisposable {
  readonly server: SharedServer;
  readonly url: string;
  readonly #machines: Machine[] = [];

  constructor(server: SharedServer) {
    this.server = server;
    this.url = server.url();
  }

  /** On the server of the run, with tables of its own: what one test queues is not another's. */
  static async start(): Promise<Team> {
    return new Team(await sharedServer("18"));
  }

  machine(files: Parameters<typeof makeFolder>[0] = {}, env: NodeJS.ProcessEnv = {}): Machine {
    const folder = makeFolder({
      "repo/.git/": "",
      "home/.knack/config.yaml": `store: { url: "${this.url}" }\n`,
      "cache/": "",
      "repo/a.txt": "a\n",
      ...files,
    });
    const machine = new Machine(folder, { KNACK_RUN_LEASE_SECONDS: "3", ...env });
    this.#machines.push(machine);
    return machine;
  }

  /** A machine with the skills of `teamSkills`, which its user trusts. */
  trusting(files: Parameters<typeof makeFolder>[0] = {}): Machine {
    const machine = this.machine({ ...teamSkills(), ...files });
    machine.trust();
    return machine;
  }

  async db(): Promise<PostgresDatabase & AsyncDisposable> {
    const db = await openPostgres(this.url);
    return Object.assign(db, { [Symbol.asyncDispose]: () => db.close() });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const machine of this.#machines) machine[Symbol.dispose]();
  }
}

const entry = (name: string, more: string): string =>
  `  - { name: ${name}, implementation: "impl/${name}.mjs:run", inputs: [{ kind: FILE, role: in, required: false }], outputs: { artifacts: [], evidences: [{ kind: SAID, schema: { fields: [text] } }] }, params: { schema: { type: object, properties: { text: {}, ms: {} } } }, idempotency: { cache: true }${more} }\n`;

/** Skills with code of the project: one that says what it gets after some time, one that fails, one for a GPU. */
export function teamSkills(version = "1"): Record<string, string> {
  const says = `// ${version}
export const run = async ({ params, inputs, log }) => {
  log("begun");
  await new Promise((go) => setTimeout(go, params.ms ?? 0));
  return { status: "SUCCEEDED", artifacts: [], error: null, evidences: [{ kind: "SAID", data: { text: String(params.text ?? inputs.length) } }] };
};
`;
  return {
    "repo/skills/registry.yaml": `version: 1\nskills:\n${entry("says", "")}${entry("fails", "")}${entry("on_gpu", ", tags: [gpu]")}`,
    "repo/impl/says.mjs": says,
    "repo/impl/on_gpu.mjs": says,
    "repo/impl/fails.mjs": `export const run = () => ({ status: "FAILED", artifacts: [], evidences: [], error: { code: "E_NO", message: "It always fails." } });\n`,
  };
}
