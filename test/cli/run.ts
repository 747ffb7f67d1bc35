import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { SkillLoadError, SkillMetadata } from "../../packages/core/src/skill/schema.ts";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { callProgram } from "./call-program.ts";

const PROGRAM = join(import.meta.dirname, "../../packages/knack/bin/knack.js");

/** What the commands print with `--json`; each test says which parts must be there. */
export interface Answer {
  readonly skills: readonly (SkillMetadata & { readonly status?: string; readonly reason?: string })[];
  readonly errors: readonly SkillLoadError[];
  readonly warnings: readonly SkillLoadError[];
  readonly checked: number;
  readonly skill: SkillMetadata;
  readonly files: readonly string[];
  readonly edges: readonly object[];
  readonly diagnostics: readonly SkillLoadError[];
  readonly ok: boolean;
  readonly checks: readonly {
    readonly name: string;
    readonly ok: boolean;
    readonly message: string;
    readonly hint?: string;
  }[];
  readonly overlaps: object;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly candidates?: readonly string[];
  };
}

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as JSON. */
  json(): Answer;
}

export interface RunOptions {
  /** Relative to the folder; `repo` by default. */
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly timeout?: number;
  /** Standard input. */
  readonly input?: string;
}

/** The environment of the program: nothing from the user who runs the tests. */
export function environment(folder: Folder): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: folder.at("home"),
    XDG_CACHE_HOME: folder.at("cache"),
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "",
  };
}

/** Commands that take over standard input and output, and end their process themselves. */
const LASTING = new Set(["mcp", "rpc", "serve", "shell", "tui"]);
/** With one of these arguments they only print. */
const ENDING = new Set(["--help", "help"]);

/** Runs a command in `repo/`, with `home/` and `cache/` beside it, in this process: like `program`, but much faster. */
export function knack(folder: Folder, args: readonly string[], options: RunOptions = {}): Outcome {
  const isLasting = args.some((arg) => LASTING.has(arg)) && !args.some((arg) => ENDING.has(arg));
  if (isLasting || options.input !== undefined || options.env?.NODE_OPTIONS)
    return program(folder, args, options);
  folder.write({ "home/": "", "repo/": "" });
  const { code, stdout, stderr } = callProgram({
    argv: args,
    cwd: folder.at(options.cwd ?? "repo"),
    env: { ...environment(folder), ...options.env },
    timeout: options.timeout ?? 150_000,
  });
  return { code, stdout, stderr, json: () => JSON.parse(stdout) };
}

/** The built program as a process: for exit codes, standard input, signals, and everything that needs a process. */
export function program(folder: Folder, args: readonly string[], options: RunOptions = {}): Outcome {
  folder.write({ "home/": "", "repo/": "" });
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd: folder.at(options.cwd ?? "repo"),
    env: { ...environment(folder), ...options.env },
    encoding: "utf8",
    ...(options.input === undefined ? {} : { input: options.input }),
    timeout: options.timeout ?? 150_000,
    maxBuffer: 2 ** 26,
  });
  return { code: status, stdout, stderr, json: () => JSON.parse(stdout) };
}

/** Says hello to `knack mcp` in a pipe and asks; `answers` are those to the questions, in their order. */
export function askMcp(
  folder: Folder,
  questions: readonly { readonly method: string; readonly params: object }[],
  options: RunOptions = {},
) {
  const hello = { capabilities: {}, clientInfo: { name: "t", version: "1" } };
  const messages = [
    { id: 0, method: "initialize", params: { protocolVersion: "2025-11-25", ...hello } },
    { method: "notifications/initialized" },
    ...questions.map((question, at) => ({ id: at + 1, ...question })),
  ];
  const input = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
  const outcome = knack(folder, ["mcp"], { ...options, input });
  const told = outcome.stdout.split("\n").filter((line) => line !== "");
  const all = told.map((line) => JSON.parse(line));
  return { ...outcome, answers: questions.map((_, at) => all.find(({ id }) => id === at + 1)) };
}

/** For a user who trusts every project. */
export const TRUST = { env: { KNACK_TRUST: "all" } } as const;

/** The names of the skills that `knack list` lists. */
export function listed(folder: Folder, options: RunOptions = {}): string[] {
  const { json } = knack(folder, ["list", "--json"], options);
  return json().skills.map(({ name }) => name);
}

export const REPO = "repo/.agents/skills";
export const HOME = "home/.agents/skills";
export { PROGRAM };

/** A project with a valid, an invalid, an ineligible and a disabled skill, and one user skill. */
export function makeProject(more: Parameters<typeof makeFolder>[0] = {}): Folder {
  return makeFolder({
    "repo/.git/": "",
    [`${REPO}/good/SKILL.md`]: skillText("good", "Does good."),
    [`${REPO}/bad/SKILL.md`]: "---\nname: Bad\ndescription: d\n---\n",
    [`${REPO}/never/SKILL.md`]: skillText("never", "d", "requires_tools: [teleport]\n"),
    [`${REPO}/off/SKILL.md`]: skillText("off"),
    [`${HOME}/mine/SKILL.md`]: skillText("mine"),
    "home/.knack/config.yaml": "skills: { disabled: [off] }\n",
    ...more,
  });
}
