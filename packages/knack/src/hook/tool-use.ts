import type { HookCall } from "./hook-clients.ts";
import { absolute, type ShellCommand, shellCommands } from "./shell-line.ts";

/** What a call of an agent's own tool does, whichever client's tool it is. */
export interface ToolUse {
  readonly kind: "read" | "write" | "shell" | "search" | "agent" | "other";
  /** The files that it changes, absolute. */
  readonly writes: readonly string[];
  /** The files that a tool is given which changes none. */
  readonly reads?: readonly string[];
  /** What it runs in a shell: the whole, and each command in it with the ways in which a gate may name it. */
  readonly line?: string;
  readonly commands?: readonly (readonly string[])[];
  /** What a subagent is to do. */
  readonly task?: string;
}

/** Every client's names for the same tools, in lower case. */
const KINDS: Readonly<Record<string, ToolUse["kind"]>> = {
  ...kind("write", "write write_file create create_file edit edit_file multiedit notebookedit replace"),
  ...kind(
    "write",
    "notebook_edit str_replace str_replace_editor apply_patch patch insert delete_file move_file",
  ),
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

/** The fields in which tools name the files that they change. */
const PATHS = [
  ...["file_path", "filePath", "path", "notebook_path", "file", "filename", "target_file"],
  ...["source", "destination", "old_path", "new_path"],
];

/** What the call does, with its paths from the folder in which the agent works. */
export function useOf({ tool, args, cwd }: Pick<HookCall, "tool" | "args" | "cwd">): ToolUse {
  const kind = kindOfTool(tool);
  const textsOf = (names: readonly string[]): string[] =>
    names.map((name) => args[name]).filter((value) => typeof value === "string");
  if (kind === "agent") return { kind, writes: [], task: textsOf(["prompt", "message", "task"])[0] ?? "" };
  if (kind === "shell") {
    const given = args.command ?? args.cmd ?? args.script ?? args.input ?? "";
    const line = Array.isArray(given) ? given.map(word).join(" ") : String(given);
    const commands = shellCommands(line, cwd || ".");
    const patched = commands.some(appliesPatch) ? patchedFiles(line) : [];
    const writes = [
      ...commands.flatMap((command) => command.writes),
      ...patched.map((path) => absolute(path, cwd)),
    ];
    return { kind, line, commands: commands.map(({ names }) => names), writes: distinct(writes) };
  }
  if (kind !== "write") return { kind, writes: [], reads: textsOf(PATHS).map((path) => absolute(path, cwd)) };
  const patches = textsOf(["patch", "patchText", "input", "diff", "command"]).flatMap(patchedFiles);
  return { kind, writes: distinct([...textsOf(PATHS), ...patches].map((path) => absolute(path, cwd))) };
}

/** Nobody names more files in one call; each is compared with every pattern. */
const MAX_FILES = 2_000;

const distinct = (paths: readonly string[]): string[] => [...new Set(paths)].slice(0, MAX_FILES);

/** A word of a command that is given as a list, as a shell would read it. */
function word(given: unknown): string {
  const text = String(given);
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`;
}

function appliesPatch({ program, names }: ShellCommand): boolean {
  return (
    /^(?:apply_patch|applypatch|patch)$/.test(program) ||
    names.some((name) => /^git (?:apply|am)\b/.test(name))
  );
}

/** The files that a patch names, in the form of `apply_patch` and as a unified diff. */
export function patchedFiles(text: string): string[] {
  const own = text.matchAll(/^[ \t]*\*\*\* (?:(?:Update|Add|Delete) File|Move to): (\S[^\r\n\t]*)/gm);
  const unified = text.matchAll(
    /^[ \t]*--- (?:a\/)?(\S[^\r\n\t]*)(?:[\r\t][^\n]*)?\n[ \t]*\+\+\+ (?:b\/)?(\S[^\r\n\t]*)/gm,
  );
  const paths = [...own, ...unified].flatMap(([, ...found]) => found.map((path) => path.trim()));
  return paths.filter((path) => path !== "/dev/null");
}
