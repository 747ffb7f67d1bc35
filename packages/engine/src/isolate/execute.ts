import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { isInside } from "@knack/core/files";
import { findProgram } from "@knack/core/process";
import { ownName, RUN_FOLDER } from "../artifacts/temporary.ts";
import { NONCE_BYTES } from "./channel.ts";
import { bubblewrapCommand, type Interpreter, type Places, placesOf, plainCommand } from "./command.ts";
import { type Confinement, confinementHere, inheritedDescriptors } from "./confinement.ts";
import {
  EXECUTION_LIMITS,
  type Execution,
  type ExecutionOutcome,
  type ExecutionResult,
  type FailureCode,
  failed,
  type Isolation,
  refusedVariable,
} from "./execution.ts";
import { chooseLevel } from "./limits.ts";
import { NODE_LOADER } from "./node-loader.ts";
import { supervise } from "./supervise.ts";
import { artifactsOver } from "./usage.ts";

type Python =
  | {
      readonly found: true;
      readonly program: string;
      readonly version: string;
      readonly folders: readonly string[];
    }
  | { readonly found: false; readonly reason: string };

const QUESTION =
  "import json, sys; print(json.dumps([sys.executable, sys.prefix, sys.base_prefix, sys.version_info[:2]]))";

let known: Promise<Python> | undefined;

/** Probed once per process. */
export function pythonHere(): Promise<Python> {
  known ??= askPython();
  return known;
}

async function askPython(): Promise<Python> {
  const found = findProgram("python3", process.env);
  if (found === undefined) return { found: false, reason: "python3 is not installed, or not in PATH" };
  try {
    const { PATH = "", HOME = "" } = process.env;
    // Run outside of any project: a file there must not decide which Python runs.
    const { stdout } = await promisify(execFile)(found, ["-I", "-c", QUESTION], {
      cwd: "/",
      env: { PATH, HOME },
      timeout: 10_000,
    });
    const [program, prefix, basePrefix, version]: [string, string, string, number[]] = JSON.parse(stdout);
    if (version[0] !== 3 || (version[1] ?? 0) < 8)
      return { found: false, reason: `python3 is ${version.join(".")}; 3.8 or newer is required` };
    const folders = [...new Set([prefix, basePrefix])].filter(
      (folder) => folder !== "/" && !/^\/usr($|\/)/.test(folder),
    );
    return { found: true, program, version: version.join("."), folders };
  } catch (error) {
    return {
      found: false,
      reason: `python3 does not run: ${(error as Error).message.trim().split("\n").at(-1)}`,
    };
  }
}

/** Runs a skill's function in its own process. Whatever the function does, this returns, and no process of it remains. */
export async function execute(
  execution: Execution,
  confinement: () => Promise<Confinement> = confinementHere,
): Promise<ExecutionResult> {
  const chosen = await chooseLevel(execution);
  if ("refused" in chosen) return { ...failed("ACCESS_DENIED", chosen.refused), isolation: "none", log: "" };
  const { outcome, log = "" } = await executeAt(chosen, execution, confinement);
  if (outcome.ok) return { ...outcome, isolation: chosen.level, log };
  const message = `${execution.functionName}: ${outcome.message}`;
  return { ...outcome, message, isolation: chosen.level, log };
}

async function executeAt(
  chosen: Exclude<Awaited<ReturnType<typeof chooseLevel>>, { refused: string }>,
  execution: Execution,
  confinement: () => Promise<Confinement>,
): Promise<{ outcome: ExecutionOutcome; log?: string }> {
  const { level } = chosen;
  const stop = (code: FailureCode, message: string) => ({ outcome: failed(code, message) });
  if (execution.signal?.aborted) return stop("SKILL_INTERRUPTED", "was cancelled");
  const refused = refusedVariable(execution.env);
  if (refused !== null) {
    const { name, why } = refused;
    return stop(
      "ACCESS_DENIED",
      `the variable ${name} cannot be passed on: ${why}; remove it from the entry's env`,
    );
  }

  let places: Places;
  try {
    places = placesOf(execution);
  } catch (error) {
    return stop("SKILL_FAILED", `could not be started: ${(error as Error).message}`);
  }
  const fault = faultOf(places, level);
  if (fault !== null) return stop("ACCESS_DENIED", fault);

  const made = join(tmpdir(), ownName(RUN_FOLDER));
  await mkdir(made, { mode: 0o700 });
  const privateFolder = await realpath(made);
  try {
    const interpreter = await interpreterOf(execution, privateFolder);
    if (typeof interpreter === "string") return stop("SKILL_FAILED", interpreter);
    const limits = { ...EXECUTION_LIMITS, ...execution.limits };
    let [mark, kernel]: [string | null, Confinement | null] = [null, null];
    let command: ReturnType<typeof plainCommand>;
    if (chosen.level === "bubblewrap")
      command = bubblewrapCommand(chosen.bubblewrap, execution, places, interpreter, limits);
    else {
      mark = randomBytes(16).toString("hex");
      kernel = await confinement();
      command = plainCommand(execution, places, interpreter, limits, privateFolder, mark, kernel);
    }
    if ("problem" in command) return stop("ACCESS_DENIED", command.problem);
    const { functionName, inputsDir, context, signal, onLog } = execution;
    const { file, projectRoot, artifactsDir } = places;
    const real = (path: string): string =>
      path.startsWith(inputsDir) ? places.inputsDir + path.slice(inputsDir.length) : path;
    const inputs = context.inputs.map((input) => ({ ...input, path: real(input.path) }));
    const inherited = inheritedDescriptors();
    const request = {
      nonce: randomBytes(NONCE_BYTES / 2).toString("hex"),
      file,
      projectRoot,
      functionName,
      maxResultBytes: limits.maxResultBytes,
      context: { ...context, inputs, artifactsDir },
      seatBelt: level !== "node-permission" ? null : kernel?.works ? "with the kernel" : "alone",
      // The launcher closed all of them; their numbers may be in use by others now.
      close: kernel?.works ? [] : inherited,
    };
    const run = { command, request, inherited, mark, artifactsDir, limits, signal, onLog };
    const { outcome, log } = await supervise(run);
    const over = outcome.ok ? await artifactsOver(artifactsDir, limits) : null;
    return { outcome: over === null ? outcome : failed("SKILL_FAILED", over), log };
  } finally {
    await rm(privateFolder, { recursive: true, force: true, maxRetries: 2 }).catch(() => {});
  }
}

function faultOf(places: Places, level: Isolation): string | null {
  if (places.projectRoot === "/")
    return "the project is the whole file system, so nothing can be isolated from it; use a project folder";
  if (!isInside(places.file, places.projectRoot)) return `its file ${places.file} is outside the project`;
  const wild = Object.values(places).find((path) => path.includes("*"));
  if (level === "node-permission" && wild !== undefined)
    return `Node's permission model reads the * in ${wild} as a pattern; install bubblewrap or rename it`;
  return null;
}

async function interpreterOf(execution: Execution, privateFolder: string): Promise<Interpreter | string> {
  if (execution.language === "python") {
    const python = await pythonHere();
    if (!python.found) return python.reason;
    return { kind: "python", program: python.program, loader: null, folders: python.folders };
  }
  const loader = join(privateFolder, "loader.mjs");
  await writeFile(loader, NODE_LOADER);
  return { kind: "node", program: await realpath(process.execPath), loader, folders: [] };
}
