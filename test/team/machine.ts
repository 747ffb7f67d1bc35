import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { type Folder, makeFolder } from "../../packages/core/src/testing/files.ts";
import type { TestServer } from "../../packages/engine/src/store/testing/postgres/server.ts";
import { environment, PROGRAM } from "../cli/run.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/team.md"), "utf8");
export const PASSWORD = "pass:word";

/** The blocks of a language below a heading of docs/team.md, in their order. */
export function blocks(heading: string, language: string): string[] {
  const section = new RegExp(`^## ${heading}\n(.*?)(?=^## |$(?![^]))`, "ms").exec(page)?.[1];
  if (section === undefined) throw new Error(`docs/team.md has no heading "${heading}".`);
  return [...section.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)\n\`\`\`$`, "gms"))].map(
    ([, text = ""]) => text,
  );
}

/** Does step 1 of docs/team.md as the administrator of a server, and lets the role in with a password alone. */
export async function createDatabase(server: TestServer): Promise<void> {
  const [roles = "", schemas = ""] = blocks("1. Create the database", "sql");
  // The test server's own administrator is called knack too.
  await query(server, "knack", "postgres", "CREATE ROLE admin LOGIN SUPERUSER");
  await query(server, "admin", "postgres", "ALTER ROLE knack RENAME TO first_admin");
  for (const statement of roles.split("\n")) await query(server, "admin", "postgres", statement);
  await query(server, "admin", "knack", schemas);
  await query(server, "admin", "postgres", `ALTER ROLE knack PASSWORD '${PASSWORD}'`);
  const [{ hba_file: file }] = await query(server, "admin", "postgres", "SHOW hba_file");
  const rules = ["host all knack 127.0.0.1/32 scram-sha-256", "host all admin 127.0.0.1/32 trust"];
  const rows = rules.map((rule) => `('${rule}')`).join(", ");
  await query(server, "admin", "postgres", `COPY (VALUES ${rows}) TO '${file}'`);
  await query(server, "admin", "postgres", "SELECT pg_reload_conf()");
}

// biome-ignore lint/suspicious/noExplicitAny: rows as the caller asked for them.
export async function query(server: TestServer, user: string, database: string, sql: string): Promise<any[]> {
  const client = new pg.Client(`postgres://${user}@127.0.0.1:${server.port}/${database}`);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A machine with a home, a clone of the example's project and nothing else: the database is all that it shares. */
export class Machine implements AsyncDisposable {
  readonly folder: Folder;
  readonly #server: TestServer;
  readonly #started: ChildProcess[] = [];

  constructor(server: TestServer) {
    this.#server = server;
    this.folder = makeFolder({
      "home/": "",
      "repo/.git/": "",
      "bin/knack": `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`,
      "bin/node": `#!/bin/sh\nexec '${process.execPath}' "$@"\n`,
    });
    for (const name of ["knack", "node"]) chmodSync(this.folder.at("bin", name), 0o755);
    cpSync(join(root, "examples/team/project"), this.folder.at("repo"), { recursive: true });
  }

  /** Step 2 of docs/team.md. */
  async configure(): Promise<void> {
    const heading = "2. Tell the project where it is";
    const [config = ""] = blocks(heading, "yaml");
    const [passwords = ""] = blocks(heading, "text");
    this.folder.write({
      // The test server has no certificate.
      "repo/.knack/config.yaml": this.#here(config).replace("?sslmode=verify-full", ""),
      "home/.pgpass": `${this.#here(passwords).replace("the-password", PASSWORD.replace(":", "\\:"))}\n`,
    });
    for (const block of blocks(heading, "sh")) await this.sh(block);
  }

  /** Runs commands as they are on the page; rejects where one fails. */
  async sh(script: string, path = ""): Promise<{ readonly stdout: string; readonly stderr: string }> {
    // Nobody is there to be asked.
    const text = this.#here(script).replaceAll(/^knack trust$/gm, "knack trust --yes");
    return promisify(execFile)("bash", ["-euo", "pipefail", "-c", text], {
      ...this.#as(path),
      timeout: 120_000,
    });
  }

  /** Starts a command of the page that lasts, and waits for its first line. */
  async start(line: string): Promise<{ readonly child: ChildProcess; readonly first: string }> {
    const [, ...args] = line.split(" ");
    const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
    const child = spawn(process.execPath, [PROGRAM, ...args, "--json"], { ...this.#as(), stdio });
    this.#started.push(child);
    const [first] = await once(child.stdout, "data");
    return { child, first: String(first) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#started)
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
    this.folder[Symbol.dispose]();
  }

  #as(path = ""): { cwd: string; env: NodeJS.ProcessEnv } {
    const env = environment(this.folder);
    const folders = [this.folder.at("bin"), path, env.PATH].filter(Boolean);
    return { cwd: this.folder.at("repo"), env: { ...env, PATH: folders.join(":") } };
  }

  #here(text: string): string {
    return text
      .replaceAll("db.example.com:5432", `127.0.0.1:${this.#server.port}`)
      .replaceAll("@db.example.com/", `@127.0.0.1:${this.#server.port}/`);
  }
}
