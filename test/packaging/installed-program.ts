import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Folder, skillText } from "../../packages/core/src/testing/files.ts";
import type { Ended, Runtime } from "./install.ts";

/** A project in a folder whose name a shell would take apart, with a skill, a page and a typed skill in TypeScript. */
export const PROJECT = 'a project\'s $HOME & "more"';
export const FILES = {
  [`${PROJECT}/.git/`]: "",
  [`${PROJECT}/.agents/skills/release-notes/SKILL.md`]: skillText("release-notes", "Draft release notes."),
  [`${PROJECT}/page.html`]: "<title>t</title><p>The contract runs until 2027.</p>",
  [`${PROJECT}/skills/registry.yaml`]: `version: 1
skills:
  - name: shout
    implementation: "impl/shout.ts:run"
    inputs: []
    outputs: { artifacts: [], evidences: [{ kind: SAID, schema: { fields: [text] } }] }
    params: { schema: { type: object, properties: { text: { type: string } } } }
    idempotency: { cache: true }
`,
  [`${PROJECT}/impl/shout.ts`]: `interface Call { readonly params: { readonly text: string } }
export const run = ({ params }: Call) => ({
  status: "SUCCEEDED" as const,
  artifacts: [],
  evidences: [{ kind: "SAID", data: { text: params.text.toUpperCase() } }],
  error: null,
});
`,
};

/** `knack` of an installation, run as a shell would run it. */
export class InstalledProgram {
  readonly #folder: Folder;
  readonly #runtime: Runtime;
  readonly #program: string;

  constructor(folder: Folder, runtime: Runtime, prefix: string) {
    this.#folder = folder;
    this.#runtime = runtime;
    this.#program = join(prefix, "bin/knack");
  }

  get #options() {
    return {
      cwd: this.#folder.at(PROJECT),
      env: { PATH: this.#runtime.path, HOME: this.#folder.at("home"), KNACK_TRUST: "all" },
    };
  }

  run(args: readonly string[], input = "", env: NodeJS.ProcessEnv = {}): Ended {
    const { status, stdout, stderr } = spawnSync(this.#program, args, {
      ...this.#options,
      env: { ...this.#options.env, ...env },
      input,
      encoding: "utf8",
    });
    return { code: status, stdout, stderr };
  }

  /** A server in a process group of its own, as a shell starts it, when it answers. */
  async serve(): Promise<Server> {
    const child = spawn(this.#program, ["serve", "--port", "0"], {
      ...this.#options,
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    });
    let text = "";
    for await (const part of child.stdout!.setEncoding("utf8")) {
      text += part;
      if (/#token=\S+\n/.test(text)) break;
    }
    return new Server(child, /http:\/\/[\d.:]+/.exec(text)?.[0] ?? "");
  }
}

export class Server implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #origin: string;
  readonly #exit: Promise<unknown[]>;

  constructor(child: ChildProcess, origin: string) {
    this.#child = child;
    this.#origin = origin;
    this.#exit = once(child, "exit");
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The process that a launcher started, else the launcher itself. */
  get runner(): number {
    const children = readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, "utf8").trim().split(" ");
    return Number(children[0]) || this.pid;
  }

  /** Exit code and signal of what the shell started. */
  async ended(): Promise<unknown[]> {
    return await this.#exit;
  }

  answers(): Promise<boolean> {
    return fetch(this.#origin).then(
      () => true,
      () => false,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      process.kill(-this.pid, "SIGKILL");
    } catch {
      // All of it has ended.
    }
    await this.#exit;
  }
}
