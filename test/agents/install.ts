import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Client } from "./clients/client.ts";

const CACHE = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
/** Outside the repository: the clients together have 1.6 GB. */
const FOLDER = process.env.KNACK_AGENTS_FOLDER ?? join(CACHE, "knack-test-agents");

/** Installs a client in a folder of its own, without install scripts; keeps it while the version is the same. */
export function install(client: Client): string {
  const folder = join(FOLDER, client.name);
  const wanted = `${client.package}@${client.version}`;
  const stamp = join(folder, "installed");
  const isThere = existsSync(stamp) && readFileSync(stamp, "utf8") === wanted;
  if (!isThere) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), "{}");
    const { needs } = client;
    const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--save-exact", "--loglevel=error"];
    run("npm", ["install", "--prefix", folder, ...options, ...(needs ?? [wanted])], folder);
    if (needs) unpack(wanted, folder);
    writeFileSync(stamp, wanted);
  }
  if (!existsSync(join(folder, client.program.path)))
    throw new Error(`${wanted} has no program for ${process.platform}-${process.arch}`);
  return folder;
}

/** Without its dependencies. */
function unpack(wanted: string, folder: string): void {
  run("npm", ["pack", "--loglevel=error", wanted], folder);
  for (const name of readdirSync(folder).filter((one) => one.endsWith(".tgz")))
    run("tar", ["-xzf", name], folder);
}

function run(program: string, args: readonly string[], cwd: string): void {
  const { status, error, stderr } = spawnSync(program, args, {
    cwd,
    encoding: "utf8",
    timeout: 600_000,
    shell: process.platform === "win32",
  });
  if (status !== 0)
    throw new Error(
      `${program} ${args.join(" ")} failed: ${error ?? (stderr.trim().slice(0, 600) || status)}`,
    );
}
