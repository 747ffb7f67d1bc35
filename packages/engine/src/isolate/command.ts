import { readdirSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { type Bubblewrap, bubblewrapArguments, hiddenFolders, PRIVATE_FOLDER, SYSTEM } from "./bubblewrap.ts";
import { environmentOf } from "./environment.ts";
import type { Execution } from "./execution.ts";
import { type Limits, withLimits } from "./limits.ts";
import { PYTHON_LOADER } from "./python-loader.ts";

/** A process to start. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** The program that interprets the skill, and the folders outside the project that it needs. */
export interface Interpreter {
  readonly kind: "node" | "python";
  readonly program: string;
  /** The file with the loader; Python takes it as an argument. */
  readonly loader: string | null;
  readonly folders: readonly string[];
}

/** The folders of an execution by their real names: sandboxes compare names, and know no links. */
export interface Places {
  readonly file: string;
  readonly projectRoot: string;
  readonly inputsDir: string;
  readonly artifactsDir: string;
}

/** Throws where one of them does not exist. */
export function placesOf(execution: Execution): Places {
  return {
    file: realpathSync(execution.file),
    projectRoot: realpathSync(execution.projectRoot),
    inputsDir: realpathSync(execution.inputsDir),
    artifactsDir: realpathSync(execution.artifactsDir),
  };
}

export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`);
}

export function bubblewrapCommand(
  bubblewrap: Bubblewrap & { works: true },
  execution: Execution,
  places: Places,
  interpreter: Interpreter,
  limits: Limits,
): Command {
  const { projectRoot, inputsDir, artifactsDir } = places;
  // What is there already is not mounted again: on the way to it there may be links, which a mount does not follow.
  const there = [...SYSTEM, projectRoot, ...interpreter.folders];
  const programs = [interpreter.program, ...(interpreter.loader === null ? [] : [interpreter.loader])];
  const mounts = {
    readOnly: [
      projectRoot,
      inputsDir,
      ...interpreter.folders.filter((folder) => !isInside(projectRoot, folder)),
      ...programs.filter((program) => !there.some((folder) => isInside(folder, program))),
    ],
    hidden: hiddenFolders(projectRoot),
    writable: [artifactsDir],
  };
  const inner = withLimits(interpret(interpreter, limits, []), limits, interpreter.kind, true);
  return {
    program: bubblewrap.program,
    args: [...bubblewrapArguments(bubblewrap.options, mounts, artifactsDir), ...inner],
    env: environmentOf(execution.env, PRIVATE_FOLDER, null),
    cwd: "/",
  };
}

/** Node with its permission model, or Python as it is. */
export function plainCommand(
  execution: Execution,
  places: Places,
  interpreter: Interpreter,
  limits: Limits,
  privateFolder: string,
  mark: string,
): Command {
  const flags = interpreter.kind === "node" ? permissionFlags(places, privateFolder) : [];
  const [program, ...args] = withLimits(
    interpret(interpreter, limits, flags),
    limits,
    interpreter.kind,
    false,
  );
  return { program, args, env: environmentOf(execution.env, privateFolder, mark), cwd: places.artifactsDir };
}

function interpret(
  interpreter: Interpreter,
  limits: Limits,
  flags: readonly string[],
): [string, ...string[]] {
  if (interpreter.loader === null) {
    // Compiled files beside the sources are never read: they need not say what the sources say.
    const noCache = ["-X", "pycache_prefix=/nonexistent"];
    return [interpreter.program, "-I", "-B", "-u", ...noCache, "-c", PYTHON_LOADER];
  }
  const memory = `--max-old-space-size=${limits.memoryMb}`;
  const quiet = "--disable-warning=ExperimentalWarning";
  return [interpreter.program, ...flags, memory, quiet, interpreter.loader];
}

/** A `*` in a name would widen what is allowed; the caller has refused those. */
function permissionFlags(places: Places, privateFolder: string): string[] {
  // Entry by entry, so that the one with Knack's own state can be left out.
  const project = readdirSync(places.projectRoot)
    .filter((name) => name !== ".knack" && !name.includes("*"))
    .sort()
    .map((name) => join(places.projectRoot, name));
  const readable = [...project, places.file, places.inputsDir, places.artifactsDir, privateFolder];
  return [
    "--permission",
    ...readable.map((path) => `--allow-fs-read=${path}`),
    ...[places.artifactsDir, privateFolder].map((path) => `--allow-fs-write=${path}`),
    // SQLite opens files behind the back of the permission model.
    "--no-experimental-sqlite",
  ];
}
