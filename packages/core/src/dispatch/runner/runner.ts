import type { Config } from "../../config/config.ts";
import { SkillError } from "../../shared/errors.ts";
import { fewOf } from "../../shared/few-of.ts";
import { nearest } from "../../shared/nearest.ts";
import { loadsForeignCode } from "../../shared/process/loader-variables.ts";
import { quote } from "../../shared/quote.ts";
import { splitWords } from "./split-words.ts";

/** A program that gives frames to a model. */
export interface Runner {
  /** For people and records. */
  readonly name: string;
  /** Program and arguments, started as they are. `$(cat)` in one stands for the frame; else it goes to standard input. */
  readonly argv: readonly string[];
}

/** Agents that read a prompt from standard input and end when they have answered it. */
const PRESETS: Readonly<Record<string, readonly string[]>> = {
  claude: ["claude", "-p"],
  codex: ["codex", "exec", "-"],
  gemini: ["gemini"],
  opencode: ["opencode", "run"],
};

export interface RunnerWanted {
  /** A name: of the configuration's `runners`, or a preset. */
  readonly name?: string | undefined;
  /** A command line, split into words once. */
  readonly command?: string | undefined;
}

/** The chosen runner; `undefined` if none is configured, and the caller gets the frame. Throws `SkillError`. */
export function findRunner({ name, command }: RunnerWanted, runners: Config["runners"]): Runner | undefined {
  if (name !== undefined && command !== undefined)
    throw new SkillError("INVALID_PARAM", "Give a runner's name or its command, not both.");
  if (command !== undefined) {
    const argv = splitWords(command, "--runner-cmd");
    return { name: checked("--runner-cmd", argv), argv };
  }
  const wanted = name ?? runners.default;
  if (wanted === null) return undefined;
  const known = listRunners(runners);
  const runner = known.find((one) => one.name === wanted);
  if (runner) {
    checked(wanted, runner.argv);
    return runner;
  }
  const names = known.map((one) => one.name);
  const guess = nearest(wanted, names, 2);
  const hint = guess === undefined ? "" : ` Did you mean ${guess}?`;
  throw new SkillError(
    name === undefined ? "CONFIG_INVALID" : "INVALID_PARAM",
    `There is no runner ${quote(wanted)}; the runners are ${fewOf(names)}.${hint}`,
  );
}

/** Every runner that has a name: those of the configuration, then the presets that it does not name. */
export function listRunners(runners: Config["runners"]): Runner[] {
  const own = Object.entries(runners).flatMap(([name, runner]) =>
    name !== "default" && runner !== null && typeof runner === "object"
      ? [{ name, argv: runner.command }]
      : [],
  );
  const presets = Object.entries(PRESETS).map(([name, argv]) => ({ name, argv }));
  return [...own, ...presets.filter(({ name }) => !Object.hasOwn(runners, name))];
}

function checked(runner: string, [program = ""]: readonly string[]): string {
  if (program === "") throw new SkillError("INVALID_PARAM", `${runner} does not name a program.`);
  return program;
}

const FRAME = "$(cat)";

/** What to start for a frame, and what goes to its standard input; `null` where the frame is an argument. */
export function commandFor(
  { argv }: Runner,
  frame: string,
): { readonly program: string; readonly args: readonly string[]; readonly input: string | null } {
  const [program = "", ...args] = argv;
  const isArgument = args.some((word) => word.includes(FRAME));
  return {
    program,
    // Not by `replace`, which would read `$&` in a frame as its own.
    args: args.map((word) => word.split(FRAME).join(frame)),
    input: isArgument ? null : frame,
  };
}

/** A variable that everything a runner starts inherits. It holds the mark of each runner around, outermost first. */
export const MARK = "KNACK_RUNNER_MARK";

/** How many runners a process with this environment is inside of. */
export function runnersAround(env: NodeJS.ProcessEnv): number {
  return (env[MARK] ?? "").split(":").filter((mark) => mark !== "").length;
}

/** Windows gives batch files to its shell, which no quoting of arguments survives, so they are not started there. */
export function isBatchFile(program: string, platform: NodeJS.Platform): boolean {
  return platform === "win32" && /\.(?:cmd|bat)[ .]*$/i.test(program);
}

/** With the token a runner could answer the questions that are asked about what it does. */
const OWN = /^KNACK_TOKEN$/i;

export function runnerEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !loadsForeignCode(name) && !OWN.test(name)),
  );
}
