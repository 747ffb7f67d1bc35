import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A real S3 server in a process of its own, with one bucket `knack`, on a free port of loopback. */
export class S3Server implements AsyncDisposable {
  readonly folder: string;
  readonly endpoint: string;
  readonly #process: ChildProcess;

  private constructor(folder: string, endpoint: string, server: ChildProcess) {
    this.folder = folder;
    this.endpoint = endpoint;
    this.#process = server;
  }

  static async start(): Promise<S3Server> {
    const folder = mkdtempSync(join(tmpdir(), "knack-s3-"));
    const child = join(import.meta.dirname, "children", "s3-child.mjs");
    const server = spawn(process.execPath, [child, folder], { stdio: ["pipe", "pipe", "inherit"] });
    const [port] = await once(server.stdout, "data");
    return new S3Server(folder, `http://127.0.0.1:${String(port).trim()}`, server);
  }

  /** What the server's clients need, as a user would set it. */
  get env(): Record<string, string> {
    return {
      AWS_ENDPOINT_URL: this.endpoint,
      AWS_ACCESS_KEY_ID: "S3RVER",
      AWS_SECRET_ACCESS_KEY: "S3RVER",
      AWS_REGION: "us-east-1",
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exit = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await exit;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
