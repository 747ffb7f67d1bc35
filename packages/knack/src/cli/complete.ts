import { typedSkillNames } from "@knack/core/catalog";
import { openProject } from "../host/open-project.ts";
import { print } from "../terminal/output.ts";
import { cut } from "../terminal/text-width.ts";
import { escapeControl } from "../terminal/visible.ts";
import {
  type CommandSpec,
  GLOBAL_OPTIONS,
  HELP_COMMAND,
  HELP_OPTION,
  type OptionSpec,
  type Values,
  VERSION_OPTION,
} from "./table/command-spec.ts";
import { COMMANDS } from "./table/table.ts";

interface Candidate {
  readonly value: string;
  readonly description: string;
}

interface Wanted {
  readonly candidates?: readonly Candidate[];
  readonly values?: Values | undefined;
  /** What comes before the value in the same word: `--scope=`. */
  readonly prefix?: string;
  readonly cwd?: string | undefined;
}

type Spec = Pick<CommandSpec, "name" | "arguments" | "options" | "commands">;

const HELP: Spec = { name: HELP_COMMAND.name, arguments: [HELP_COMMAND.argument] };
const UNKNOWN: Spec = { name: "" };

/** Reads the words of an unfinished command, without the program's name; the last is the one to complete. */
function wantedAt(words: readonly string[]): Wanted {
  let spec: Spec | undefined;
  let place = 0;
  let hasDashes = false;
  let cwd: string | undefined;
  let pending: OptionSpec | undefined;
  const given = new Set<OptionSpec>();
  const named = (flag: string): OptionSpec | undefined =>
    optionsOf(spec).find((one) => flagsOf(one).includes(flag));
  for (const word of words.slice(0, -1)) {
    if (pending) {
      if (longOf(pending) === "--cwd") cwd = word;
      pending = undefined;
    } else if (!hasDashes && word === "--") hasDashes = true;
    else if (!hasDashes && /^-./.test(word)) {
      const { flag, value } = splitOption(word);
      const option = named(flag);
      if (!option) continue;
      given.add(option);
      if (value === undefined && option.flags.includes("<")) pending = option;
      else if (longOf(option) === "--cwd") cwd = value;
    } else if (spec === undefined) {
      spec = [...COMMANDS, HELP].find(({ name }) => name === word) ?? UNKNOWN;
    } else {
      const inner: Spec | undefined =
        place === 0 ? spec.commands?.find(({ name }) => name === word) : undefined;
      if (inner) spec = inner;
      else place++;
    }
  }
  const current = words.at(-1) ?? "";
  if (pending) return { values: valuesOf(pending), cwd };
  if (!hasDashes && /^-./.test(current)) {
    const { flag, value } = splitOption(current);
    const option = named(flag);
    if (value !== undefined) return { values: option && valuesOf(option), prefix: `${flag}=`, cwd };
    const free = optionsOf(spec).filter((one) => one.isList || !given.has(one));
    return { candidates: free.map((one) => ({ value: longOf(one), description: one.description })), cwd };
  }
  if (spec === undefined) return { values: "command", cwd };
  const inner = place === 0 ? (spec.commands ?? []) : [];
  const candidates = inner.map(({ name, description }) => ({ value: name, description }));
  // The last argument may be repeated: `[path...]`.
  const last = spec.arguments?.at(-1);
  const argument = spec.arguments?.[place] ?? (last?.[0].includes("...") ? last : undefined);
  return { candidates, values: argument?.[2], cwd };
}

function optionsOf(spec: Spec | undefined): OptionSpec[] {
  const own = spec === undefined || spec === UNKNOWN ? [VERSION_OPTION] : (spec.options ?? []);
  return [...own, ...GLOBAL_OPTIONS, HELP_OPTION];
}

const valuesOf = (option: OptionSpec): Values | undefined =>
  option.choices ?? option.values ?? (option.flags.includes("<file>") ? "file" : undefined);

const flagsOf = ({ flags }: OptionSpec): string[] => flags.match(/(?<![\w-])--?[a-zA-Z][\w-]*/g) ?? [];

const longOf = (option: OptionSpec): string => flagsOf(option).at(-1) ?? "";

function splitOption(word: string): { flag: string; value?: string } {
  const at = word.indexOf("=");
  return at < 0 ? { flag: word } : { flag: word.slice(0, at), value: word.slice(at + 1) };
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
    print((await linesFor(words)).join("\n"));
  } catch {
    process.exitCode = 1;
  }
}

async function linesFor(words: readonly string[]): Promise<string[]> {
  const { candidates = [], values, prefix = "", cwd } = wantedAt(words);
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
  if (values === "command")
    return [...COMMANDS, HELP_COMMAND].map(({ name, summary }) => ({ value: name, description: summary }));
  return (await skillCandidates(values, cwd)).filter(({ value }) => PLAIN.test(value));
}

async function skillCandidates(
  kind: "skill" | "disabled-skill" | "typed-skill",
  cwd: string | undefined,
): Promise<Candidate[]> {
  const project = openProject({ ...(cwd === undefined ? {} : { cwd }) });
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
  return text === "" ? "" : `\t${cut(text, MAX_DESCRIPTION)}`;
}
