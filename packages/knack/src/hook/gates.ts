import { matchesGlob, relative, sep } from "node:path";
import type { Config, Session, SkillMetadata } from "@knack/core";
import { canonical } from "@knack/core/files";
import type { ConversationFile } from "@knack/core/session";
import { fold, isSameName, lineForModel } from "@knack/core/text";
import type { HookCall } from "./hook-clients.ts";
import { absolute } from "./shell-line.ts";
import { kindOfTool, type ToolUse } from "./tool-use.ts";

export type Gate = Config["gates"][number];

/** A gate that a call meets: which one of the configuration, and by which file or command. */
export interface Met {
  readonly gate: Gate;
  readonly number: number;
  readonly by: string;
}

export function gatesMet(
  use: ToolUse,
  { config, projectRoot }: { readonly config: Pick<Config, "gates">; readonly projectRoot: string },
): Met[] {
  return config.gates.flatMap((gate, at) => {
    const by = meets(gate, use, projectRoot);
    return by === undefined ? [] : [{ gate, number: at + 1, by }];
  });
}

/** Without `tools`, a gate is for what changes something: files and shell commands. */
function meets({ files = [], commands = [], tools }: Gate, use: ToolUse, root: string): string | undefined {
  const { kind, writes, reads = [], line = "", commands: run = [] } = use;
  const isMeant = (one: ToolUse["kind"]): boolean =>
    tools === undefined ? one === "write" || one === "shell" : tools.some((tool) => kindNamed(tool) === one);
  // A patch in a shell command writes its files, as much as a tool for that.
  const file =
    files.length > 0 &&
    [...writes, ...reads].find((path) => {
      const real = canonical(path);
      return files.some((glob) => isFile(glob, path, root) || (real !== path && isFile(glob, real, root)));
    });
  if (file && ((writes.length > 0 && isMeant("write")) || isMeant(kind))) return file;
  const command = [...run.flat(), line].find((one) => commands.some((glob) => isCommand(glob, one)));
  if (command !== undefined && isMeant("shell")) return command;
  const isForAll = files.length === 0 && commands.length === 0;
  return isForAll && tools !== undefined && isMeant(kind) ? kind : undefined;
}

/** `edit` changes files as `write` does. */
function kindNamed(tool: string): ToolUse["kind"] {
  return tool === "edit" ? "write" : kindOfTool(tool);
}

/** A path from the project's root, or the whole path; a dot before a name hides no file from a gate. */
function isFile(given: string, path: string, root: string): boolean {
  const glob = given.startsWith("~") ? absolute(given, root) : given.replace(/^\.\//, "");
  const inside = relative(root, path).split(sep).join("/");
  const names = inside.startsWith("../") ? [path] : [inside, path];
  const plain = names.map((name) => name.replace(/(^|\/)\.(?=[^./])/g, "$1"));
  return [...new Set([...names, ...plain])].some((name) => matchesGlob(name, glob));
}

/** `*` stands for anything. The time is linear: each part is looked for behind the one before. */
export function isCommand(glob: string, command: string): boolean {
  const text = command.replace(/\s+/g, " ");
  const parts = glob.split("*");
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return text === glob;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last))
    return false;
  const middle = text.slice(first.length, text.length - last.length);
  let at = 0;
  for (const part of parts.slice(1, -1)) {
    const found = middle.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

/** The skills that open a gate: those of its name that a model may have. */
export function keysOf({ needs }: Gate, skills: readonly SkillMetadata[]): SkillMetadata[] {
  return skills.filter(({ name, id }) => isSameName(name, needs) || fold(id) === fold(needs));
}

/**
 * Why a call is refused: a gate that needs a skill which this conversation has not loaded. A gate that could never be opened
 * refuses nothing: no model can load its skill (`knack doctor` names it), or it must be confirmed and nobody could be asked.
 */
export function refusalBy(
  use: ToolUse,
  session: Session,
  conversation: ConversationFile,
): (Met & { readonly reason: string }) | undefined {
  const loaded = conversation.everLoaded();
  for (const met of gatesMet(use, session.catalog)) {
    const keys = keysOf(met.gate, session.offered);
    const paths = keys.map(({ path }) => path);
    if (keys.length === 0 || paths.some((path) => loaded.has(path)) || conversation.wasUnasked(paths))
      continue;
    const [key] = keys;
    const call = JSON.stringify(keys.length === 1 ? { name: key?.name } : { path: key?.path });
    const { message } = met.gate;
    const why = message === undefined ? "" : ` ${lineForModel(message)}`;
    const reason = `The user's configuration asks for the skill ${JSON.stringify(lineForModel(met.gate.needs))} before this (${lineForModel(met.by.slice(0, 200))}).${why} Load it with skill_load ${lineForModel(call)}, follow it, then do this again.`;
    return { ...met, reason };
  }
  return undefined;
}

/**
 * What the active skill says of a tool: `allowed-tools` of the skill that was loaded last in this turn, where it has any. A kind
 * counts as any client's tool of it, `Bash(git add:*)` as the shell for such commands. `undefined`: nothing speaks against it.
 */
export function narrowedBy(
  call: Pick<HookCall, "tool">,
  { kind, commands }: ToolUse,
  skill: SkillMetadata | undefined,
): string | undefined {
  const { allowedTools = [], name = "" } = skill ?? {};
  if (allowedTools.length === 0) return undefined;
  const isAllowed = allowedTools.some((allowed) => {
    const [, tool = "", pattern] = /^([^(]+)(?:\((.*)\))?$/s.exec(allowed.trim()) ?? [];
    const isSame = fold(tool) === fold(call.tool) || (kind !== "other" && kindNamed(fold(tool)) === kind);
    if (!isSame || pattern === undefined || commands === undefined) return isSame;
    const globs = pattern.split(",").map((one) => one.trim().replace(/:\*$/, "*"));
    return commands.every((names) => names.some((name) => globs.some((glob) => isCommand(glob, name))));
  });
  if (isAllowed) return undefined;
  return `The skill ${JSON.stringify(lineForModel(name))} is active, and its allowed-tools do not have ${lineForModel(call.tool)}: ${lineForModel(allowedTools.join(", ").slice(0, 500))}.`;
}
