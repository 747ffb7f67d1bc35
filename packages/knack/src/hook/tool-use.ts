import { resolve } from "node:path";
import type { HookCall } from "./hook-clients.ts";

/** What a call of an agent's own tool does, whichever client's tool it is. */
export interface ToolUse {
  readonly kind: "read" | "write" | "shell" | "search" | "agent" | "other";
  /** The files that it changes, absolute. */
  readonly writes: readonly string[];
  /** What it runs in a shell. */
  readonly command?: string;
  /** What a subagent is to do. */
  readonly task?: string;
}

/** Every client's names for the same tools, in lower case. */
const KINDS: Readonly<Record<string, ToolUse["kind"]>> = {
  ...kind("write", "write write_file create create_file edit edit_file multiedit notebookedit replace"),
  ...kind("write", "str_replace str_replace_editor apply_patch patch insert delete_file move_file"),
  ...kind("shell", "bash shell run_shell_command exec_command local_shell powershell terminal"),
  ...kind("read", "read read_file view cat notebookread read_many_files"),
  ...kind("search", "grep glob search ls list find search_file_content list_directory websearch webfetch"),
  ...kind("agent", "agent task spawn_agent"),
};

function kind(of: ToolUse["kind"], names: string): Record<string, ToolUse["kind"]> {
  return Object.fromEntries(names.split(" ").map((name) => [name, of]));
}

export function kindOfTool(tool: string): ToolUse["kind"] {
  return KINDS[tool.toLowerCase()] ?? "other";
}

/** What the call does, with its paths from the folder in which the agent works. */
export function useOf({ tool, args, cwd }: Pick<HookCall, "tool" | "args" | "cwd">): ToolUse {
  const kind = kindOfTool(tool);
  const textOf = (names: readonly string[]): string | undefined =>
    names.map((name) => args[name]).find((value) => typeof value === "string");
  const absolute = (paths: readonly string[]): string[] => paths.map((path) => resolve(cwd || ".", path));
  if (kind === "agent") return { kind, writes: [], task: textOf(["prompt", "message", "task"]) ?? "" };
  if (kind === "shell") {
    const given = args.command ?? args.cmd ?? args.script ?? "";
    const command = (Array.isArray(given) ? given.join(" ") : String(given)).slice(0, MAX_COMMAND);
    return { kind, command, writes: absolute([...patchedFiles(command), ...writtenFiles(command)]) };
  }
  if (kind !== "write") return { kind, writes: [] };
  const path = textOf(["file_path", "filePath", "path", "notebook_path", "file"]);
  const patch = textOf(["patch", "patchText", "input", "diff", "command"]) ?? "";
  return { kind, writes: absolute([...(path === undefined ? [] : [path]), ...patchedFiles(patch)]) };
}

/** The files that a patch names, in the form of `apply_patch` and as a unified diff. */
function patchedFiles(text: string): string[] {
  const named = text.matchAll(
    /^[ \t]*(?:\*\*\* (?:(?:Update|Add|Delete) File|Move to): |\+\+\+ (?:b\/)?|--- (?:a\/)?)(\S[^\r\n\t]*)/gm,
  );
  return [...named].map(([, path = ""]) => path.trim()).filter((path) => path !== "/dev/null");
}

/** What is longer has its commands and targets at its beginning, and a text after them. */
const MAX_COMMAND = 20_000;

/** A command with its words, as far as a look at its text tells: quotes are taken off, variables stay as they are. */
const WORDS = /"((?:\\.|[^"\\])*)"|'([^']*)'|([^\s"'<>|;&()]+)/g;
/** What separates the commands of a line. */
const SEPARATOR = /\|\||&&|[;|&\n]/;
/** Programs that change the files that they are given. */
const WRITERS = /^(?:tee|cp|mv|rm|touch|truncate|install|ln|dd|patch|rsync|shred)$/;
const IN_PLACE = /^(?:sed|perl|ruby)$/;

/** The commands of a line, one by one, as a gate may name them. */
export function commandsIn(line: string): string[] {
  const parts = line.split(SEPARATOR).map((part) => part.trim());
  return [line.trim(), ...parts].filter((part) => part !== "");
}

/**
 * The files that a command line writes to: behind `>`, or as words of a program that changes files. A shell can always hide what it
 * does; this finds what an agent writes without hiding it.
 */
function writtenFiles(line: string): string[] {
  const found = [...line.matchAll(/(?:^|[^<>&\d])\d?>{1,2}\|?\s*("[^"]*"|'[^']*'|[^\s"'<>|;&()]+)/g)];
  const targets = found.map(([, target = ""]) => target.replace(/^["']|["']$/g, ""));
  for (const part of line.split(SEPARATOR)) {
    const words = [...part.matchAll(WORDS)].map(
      ([, double, single, plain]) => double ?? single ?? plain ?? "",
    );
    const at = words.findIndex((word) => !/^(?:sudo|env|command|nohup|time|\w+=.*)$/.test(word));
    const program = words[at]?.split("/").at(-1) ?? "";
    const rest = words.slice(at + 1);
    const isInPlace = IN_PLACE.test(program) && rest.some((word) => /^(?:-\w*i|--in-place)/.test(word));
    const isGit = program === "git" && /^(?:mv|rm|checkout|restore)$/.test(rest[0] ?? "");
    if (WRITERS.test(program) || isInPlace || isGit)
      targets.push(...rest.filter((word) => !word.startsWith("-")).map((word) => word.replace(/^of=/, "")));
  }
  return targets;
}
