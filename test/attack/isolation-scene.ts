import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Folder, makeFolder } from "@knack/core/testing";
import { confinementHere } from "../../packages/engine/src/isolate/confinement.ts";
import { pythonHere } from "../../packages/engine/src/isolate/execute.ts";
import type { ExecutionResult, Isolation } from "../../packages/engine/src/isolate/execution.ts";
import { isolationLevel } from "../../packages/engine/src/isolate/limits.ts";

/** A column of the table in docs/isolation.md. */
export interface Level {
  readonly column: string;
  readonly level: Isolation;
  readonly withLandlock: boolean;
  readonly language: "python" | "javascript";
}

const hasBubblewrap = (await isolationLevel()).level === "bubblewrap";
const kernel = await confinementHere();
export const python = await pythonHere();

/** The columns that this machine supports. */
export const LEVELS: readonly Level[] = [
  { column: "bubblewrap", level: "bubblewrap", withLandlock: true, language: "javascript" },
  { column: "bubblewrap", level: "bubblewrap", withLandlock: true, language: "python" },
  {
    column: "node-permission with Landlock",
    level: "node-permission",
    withLandlock: true,
    language: "javascript",
  },
  { column: "node-permission alone", level: "node-permission", withLandlock: false, language: "javascript" },
  { column: "none with Landlock", level: "none", withLandlock: true, language: "python" },
  { column: "none alone", level: "none", withLandlock: false, language: "python" },
].filter(
  ({ level, withLandlock, language }) =>
    (level !== "bubblewrap" || hasBubblewrap) &&
    (language !== "python" || python.found) &&
    (level === "bubblewrap" || !withLandlock || (kernel.works && kernel.abi >= 6)),
) as Level[];

/** What no skill may learn; it is in files, sockets, descriptors and the environment of the host. */
export const CANARY = "canary-5f0c1d";

/** A machine with secrets around a project: if one of them is returned or changed, something escaped. */
export function makeMachine(): Folder {
  const folder = makeFolder({
    "project/package.json": '{"type":"module"}',
    "project/.knack/state.db": CANARY,
    "project/data/inside.txt": "inside",
    "outside/secret.txt": CANARY,
    "outside/target.txt": "as it was",
    "inputs/": "",
    "artifacts/": "",
  });
  symlinkSync(folder.at("outside"), folder.at("project/way"));
  symlinkSync("../.knack/state.db", folder.at("project/data/state"));
  symlinkSync("../../outside/target.txt", folder.at("project/data/target"));
  symlinkSync("inside.txt", folder.at("project/data/stays"));
  return folder;
}

export interface HostResult {
  readonly result: ExecutionResult & { readonly signals: number };
  /** The host's own output: an open debugger would show up here. */
  readonly stderr: string;
}

/** Runs a skill at a level from a process with descriptors 17 to 40 open on the secret and on files that must not change. */
export async function executeOnHost(
  folder: Folder,
  { level, withLandlock, language }: Level,
  code: string,
  params: object,
  more: object = {},
): Promise<HostResult> {
  const file = `project/skill.${language === "python" ? "py" : "mjs"}`;
  folder.write({ [file]: code });
  const execution = {
    file: folder.at(file),
    functionName: "run",
    language,
    projectRoot: folder.at("project"),
    inputsDir: folder.at("inputs"),
    artifactsDir: folder.at("artifacts"),
    context: { inputs: [], params, taskId: "adhoc" },
    env: {},
    limits: { timeoutMs: 60_000, maxResultBytes: 1024 ** 2, maxLogBytes: 64 * 1024 },
    allow: [level],
    ...more,
  };
  writeFileSync(folder.at("execution.json"), JSON.stringify({ execution, withLandlock }));
  const secret = openSync(folder.at("outside/secret.txt"), "r");
  const target = openSync(folder.at("outside/target.txt"), "r+");
  try {
    const descriptors = Array.from({ length: 24 }, (_, place) => (place % 2 === 0 ? secret : target));
    const host = spawn(
      process.execPath,
      [join(import.meta.dirname, "isolation-host.ts"), folder.at("execution.json")],
      {
        stdio: ["ignore", "pipe", "pipe", ...new Array(14).fill("ignore"), ...descriptors],
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          TMPDIR: folder.at("."),
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          KNACK_CANARY: CANARY,
        },
      },
    );
    const told = Promise.all([host.stdout, host.stderr].map((stream) => stream?.toArray() ?? []));
    const code = await new Promise<number | null>((done) => host.once("close", done));
    const [stdout = "", stderr = ""] = (await told).map((chunks) => Buffer.concat(chunks).toString());
    if (code !== 0) throw new Error(`the host ended with ${code}: ${stderr}`);
    return { result: JSON.parse(stdout), stderr };
  } finally {
    closeSync(secret);
    closeSync(target);
  }
}

/** The table in docs/isolation.md: attempt → column → what it says. */
export function documentedAttempts(): Map<string, Map<string, string>> {
  const text = readFileSync(join(import.meta.dirname, "..", "..", "docs", "isolation.md"), "utf8");
  const rows = text
    .slice(text.indexOf("| attempt |"))
    .split("\n\n")[0]
    ?.split("\n")
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll("`", "")),
    );
  const [head = [], , ...body] = rows ?? [];
  return new Map(
    body.map(([attempt = "", ...cells]) => [
      attempt,
      new Map(cells.map((cell, place) => [head[place + 1] ?? "", cell])),
    ]),
  );
}
