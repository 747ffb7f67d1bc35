import { lstatSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "@knack/core/files";
import { type Bubblewrap, bubblewrapArguments, hiddenFolders, PRIVATE_FOLDER, SYSTEM } from "./bubblewrap.ts";
import { type Confinement, confined, readableParts } from "./confinement.ts";
import { type Execution, environmentOf, type ProcessLimits } from "./execution.ts";
import { withLimits } from "./limits.ts";
import { PYTHON_LOADER } from "./python-loader.ts";
import { syscallFilter } from "./syscall-filter.ts";

export interface IsolatedCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** What bubblewrap reads from descriptor 5. */
  readonly filter: Buffer | null;
}

/** The program that interprets the skill, and the folders outside the project that it needs. */
export interface Interpreter {
  readonly kind: "node" | "python";
  readonly program: string;
  /** The file with the loader; Python takes it as an argument. */
  readonly loader: string | null;
  readonly folders: readonly string[];
}

export type Places = Readonly<ReturnType<typeof placesOf>>;

/** The real paths of an execution: sandboxes compare paths and resolve no links. Throws if one does not exist. */
export function placesOf(execution: Execution) {
  return {
    file: realpathSync(execution.file),
    projectRoot: realpathSync(execution.projectRoot),
    inputsDir: realpathSync(execution.inputsDir),
    artifactsDir: realpathSync(execution.artifactsDir),
  };
}

export function bubblewrapCommand(
  bubblewrap: Bubblewrap & { works: true },
  execution: Execution,
  places: Places,
  interpreter: Interpreter,
  limits: ProcessLimits,
): IsolatedCommand {
  const { projectRoot, inputsDir, artifactsDir } = places;
  // Do not mount a folder twice: the path to it may have links, which a mount does not follow.
  const there = [...SYSTEM, projectRoot, ...interpreter.folders];
  const programs = [interpreter.program, ...(interpreter.loader === null ? [] : [interpreter.loader])];
  const mounts = {
    readOnly: [
      projectRoot,
      inputsDir,
      ...interpreter.folders.filter((folder) => !isInside(folder, projectRoot)),
      ...programs.filter((program) => !there.some((folder) => isInside(program, folder))),
    ],
    hidden: hiddenFolders(projectRoot),
    writable: [artifactsDir],
  };
  const inner = withLimits(interpret(interpreter, limits, []), limits, interpreter.kind, true);
  const filter = syscallFilter("in namespaces");
  return {
    program: bubblewrap.program,
    args: [...bubblewrapArguments(bubblewrap.options, mounts, artifactsDir, filter !== null), ...inner],
    env: environmentOf(execution.env, PRIVATE_FOLDER, null),
    cwd: "/",
    filter,
  };
}

/** Linux allows 2 MiB of arguments and environment. */
const MAX_ARGUMENT_BYTES = 1.5 * 1024 ** 2;

/** Node with its permission model, or plain Python; both confined by the kernel if it supports that. */
export function plainCommand(
  execution: Execution,
  places: Places,
  interpreter: Interpreter,
  limits: ProcessLimits,
  privateFolder: string,
  mark: string,
  confinement: Confinement,
): IsolatedCommand | { readonly problem: string } {
  const { projectRoot, file, inputsDir, artifactsDir } = places;
  const links = confinement.works || interpreter.kind === "python" ? "as they are" : "left out";
  const hidden = [join(projectRoot, ".knack"), ...hiddenFolders(projectRoot)];
  const project = readableParts(projectRoot, hidden, links);
  if ("problem" in project) return project;
  const readable = [...project.parts, file, inputsDir];
  const writable = [artifactsDir, privateFolder];
  const flags = interpreter.kind === "node" ? permissionFlags(readable, writable) : [];
  const inner = interpret(interpreter, limits, flags);
  const runtime = [interpreter.program, ...interpreter.folders, ...packageAbove(projectRoot)];
  const [program, ...args] = withLimits(
    confinement.works
      ? confined(inner, confinement, { readable: [...readable, ...runtime], writable, listed: [projectRoot] })
      : inner,
    limits,
    interpreter.kind,
    false,
  );
  if (args.reduce((sum, arg) => sum + Buffer.byteLength(arg) + 1, 0) > MAX_ARGUMENT_BYTES)
    return {
      problem:
        "the project folder has too many files to list each of them for the sandbox; install bubblewrap",
    };
  const env = environmentOf(execution.env, privateFolder, mark, execution.lineage);
  return { program, args, env, cwd: artifactsDir, filter: null };
}

/** The nearest package.json above. Node reads it for the module type, and fails if it exists but cannot be read. */
function packageAbove(projectRoot: string): string[] {
  for (let folder = dirname(projectRoot); ; folder = dirname(folder)) {
    const file = join(folder, "package.json");
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile()) return [file];
    if (folder === dirname(folder)) return [];
  }
}

function interpret(
  interpreter: Interpreter,
  limits: ProcessLimits,
  flags: readonly string[],
): [string, ...string[]] {
  if (interpreter.loader === null) {
    // Never read compiled files beside the sources: they may differ from the sources.
    const noCache = ["-X", "pycache_prefix=/nonexistent"];
    return [interpreter.program, "-I", "-B", "-u", ...noCache, "-c", PYTHON_LOADER];
  }
  const memory = `--max-old-space-size=${limits.memoryMb}`;
  const quiet = "--disable-warning=ExperimentalWarning";
  // Its debugger would listen on the network for everybody.
  const noDebugger = "--disable-sigusr1";
  return [interpreter.program, ...flags, memory, quiet, noDebugger, interpreter.loader];
}

function permissionFlags(readable: readonly string[], writable: readonly string[]): string[] {
  return [
    "--permission",
    // A `*` in a name would allow more than that file.
    ...[...readable, ...writable]
      .filter((path) => !path.includes("*"))
      .map((path) => `--allow-fs-read=${path}`),
    ...writable.map((path) => `--allow-fs-write=${path}`),
    // SQLite opens files without asking the permission model.
    "--no-experimental-sqlite",
  ];
}
