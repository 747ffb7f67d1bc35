import { typedSkillNames } from "@knack/core/catalog";
import { openProject } from "../host/open-project.ts";
import { print } from "../terminal/output.ts";
import { escapeControl } from "../terminal/visible.ts";
import { COMMANDS } from "./commands.ts";
import {
  type ArgumentSpec,
  type CommandSpec,
  GLOBAL_OPTIONS,
  HELP_COMMAND,
  HELP_OPTION,
  type OptionSpec,
  type Values,
  VERSION_OPTION,
} from "./table/command-spec.ts";

/** A word to offer, and what it means. */
export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** What may stand where the cursor is. */
export interface Wanted {
  readonly candidates: readonly Candidate[];
  /** Values that are looked up. */
  readonly values?: Values | undefined;
  /** What comes before the value in the same word: `--scope=`. */
  readonly prefix: string;
  /** `--cwd` of the command. */
  readonly cwd?: string;
}

type Spec = Pick<CommandSpec, "name" | "arguments" | "options" | "commands">;

const HELP: Spec = { name: HELP_COMMAND.name, arguments: [HELP_COMMAND.argument] };

/** Reads the words of an unfinished command, without the program's name; the last is the one to complete. */
export function wantedAt(words: readonly string[]): Wanted {
  const line = readLine(words.slice(0, -1));
  return { ...wantedBehind(line, words.at(-1) ?? ""), ...(line.cwd === undefined ? {} : { cwd: line.cwd }) };
}

interface Line {
  /** None before a command is named; `unknown` where there is no such command. */
  readonly spec: Spec | "unknown" | undefined;
  readonly arguments: number;
  readonly given: ReadonlySet<OptionSpec>;
  /** An option whose value comes next. */
  readonly pending: OptionSpec | undefined;
  readonly hasDashes: boolean;
  readonly cwd: string | undefined;
}

function readLine(words: readonly string[]): Line {
  let spec: Line["spec"];
  let [count, hasDashes] = [0, false];
  let pending: OptionSpec | undefined;
  let cwd: string | undefined;
  const given = new Set<OptionSpec>();
  for (const word of words) {
    if (pending) {
      if (longOf(pending) === "--cwd") cwd = word;
      pending = undefined;
    } else if (!hasDashes && word === "--") hasDashes = true;
    else if (!hasDashes && /^-./.test(word)) {
      const [flag = "", value] = splitOption(word);
      const option = optionsOf(spec).find((one) => flagsOf(one).includes(flag));
      if (!option) continue;
      given.add(option);
      if (value === undefined && option.flags.includes("<")) pending = option;
      else if (longOf(option) === "--cwd") cwd = value;
    } else if (spec === undefined) {
      spec = COMMANDS.find(({ name }) => name === word) ?? (word === HELP.name ? HELP : "unknown");
    } else {
      const inner: Spec | undefined =
        count === 0 && spec !== "unknown" ? spec.commands?.find(({ name }) => name === word) : undefined;
      if (inner) spec = inner;
      else count++;
    }
  }
  return { spec, arguments: count, given, pending, hasDashes, cwd };
}

function wantedBehind(line: Line, current: string): Wanted {
  const { spec, pending, hasDashes, given } = line;
  if (pending) return { candidates: [], values: valuesOf(pending), prefix: "" };
  if (!hasDashes && current.startsWith("-") && current !== "-") {
    const [flag = "", value] = splitOption(current);
    const option = optionsOf(spec).find((one) => flagsOf(one).includes(flag));
    if (value !== undefined)
      return { candidates: [], values: option && valuesOf(option), prefix: `${flag}=` };
    const free = optionsOf(spec).filter((one) => one.isList || !given.has(one));
    return { candidates: free.map(asCandidate), prefix: "" };
  }
  if (spec === "unknown") return { candidates: [], prefix: "" };
  if (spec === undefined) return { candidates: [], values: "command", prefix: "" };
  const inner = line.arguments === 0 ? (spec.commands ?? []) : [];
  const candidates = inner.map(({ name, description }) => ({ value: name, description }));
  return { candidates, values: argumentAt(spec, line.arguments)?.[2], prefix: "" };
}

/** The last argument may be repeated: `[path...]`. */
function argumentAt(spec: Spec, place: number): ArgumentSpec | undefined {
  const last = spec.arguments?.at(-1);
  return spec.arguments?.[place] ?? (last?.[0].includes("...") ? last : undefined);
}

export function commandCandidates(): Candidate[] {
  return [...COMMANDS, HELP_COMMAND].map(({ name, summary }) => ({ value: name, description: summary }));
}

function optionsOf(spec: Line["spec"]): OptionSpec[] {
  const own = spec === undefined || spec === "unknown" ? [VERSION_OPTION] : (spec.options ?? []);
  return [...own, ...GLOBAL_OPTIONS, HELP_OPTION];
}

const asCandidate = (option: OptionSpec): Candidate => ({
  value: longOf(option),
  description: option.description,
});

const valuesOf = (option: OptionSpec): Values | undefined =>
  option.choices ?? option.values ?? (option.flags.includes("<file>") ? "file" : undefined);

/** `-y, --yes` has two. */
const flagsOf = ({ flags }: OptionSpec): string[] => flags.match(/(?<![\w-])--?[a-zA-Z][\w-]*/g) ?? [];

const longOf = (option: OptionSpec): string => flagsOf(option).at(-1) ?? "";

/** `--scope=repo` is a flag and its value. */
function splitOption(word: string): [flag: string, value?: string] {
  const at = word.indexOf("=");
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}

/** Names that every shell takes as they are: nothing that a shell expands, quotes or reads as an option. */
const PLAIN = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._:@+-]*$/u;
const MAX_DESCRIPTION = 80;

/**
 * For the scripts of `knack completion`: `__complete <place> <words…>`, where `place` is that of the word to complete. A shell may
 * leave out an empty last word. Prints a candidate per line, with its description after a tab; `:files` and `:folders` ask the
 * shell to complete those itself. A problem offers nothing: the command itself reports it.
 */
export async function complete([place = "0", ...given]: readonly string[]): Promise<void> {
  const at = Number.parseInt(place, 10) || 0;
  const words = Array.from({ length: at + 1 }, (_, i) => given[i] ?? "");
  try {
    const lines = await linesFor(words);
    print(lines.join("\n"));
  } catch {
    process.exitCode = 1;
  }
}

async function linesFor(words: readonly string[]): Promise<string[]> {
  const { candidates, values, prefix, cwd } = wantedAt(words);
  const current = (words.at(-1) ?? "").slice(prefix.length);
  const isPath = /[/\\]|^[.~]/.test(current);
  if (values === "file" || (isPath && values?.toString().endsWith("skill"))) return [":files"];
  if (values === "folder") return [":folders"];
  const looked = values === undefined ? [] : await candidatesOf(values, cwd);
  const unique = new Map([...candidates, ...looked].map((one) => [one.value, one]));
  return [...unique.values()]
    .filter(({ value }) => value.startsWith(current))
    .map(({ value, description }) => `${prefix}${value}${tail(description)}`);
}

async function candidatesOf(
  values: Exclude<Values, "file" | "folder">,
  cwd: string | undefined,
): Promise<Candidate[]> {
  if (typeof values !== "string") return values.map((value) => ({ value, description: "" }));
  if (values === "command") return commandCandidates();
  return (await skillCandidates(values, cwd)).filter(({ value }) => PLAIN.test(value));
}

async function skillCandidates(
  kind: "skill" | "disabled-skill" | "typed-skill",
  cwd: string | undefined,
): Promise<Candidate[]> {
  const project = openProject({ color: false, ...(cwd === undefined ? {} : { cwd }) });
  if (kind === "typed-skill") {
    const { config } = await project.config();
    return (await typedSkillNames(config.registry)).map((value) => ({ value, description: "" }));
  }
  const status = kind === "skill" ? "active" : "disabled";
  const { entries } = await project.catalog();
  return entries
    .filter((entry) => entry.status === status)
    .map(({ skill: { name, description } }) => ({ value: name, description }));
}

/** A description is the text of a skill: on one line, and without anything that steers a terminal. */
function tail(description: string): string {
  const text = escapeControl(description).trim();
  if (text === "") return "";
  const characters = [...text];
  return `\t${characters.length > MAX_DESCRIPTION ? `${characters.slice(0, MAX_DESCRIPTION - 1).join("")}…` : text}`;
}
