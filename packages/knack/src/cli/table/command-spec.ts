import type { ReadValue } from "../../options.ts";

export interface CommandSpec {
  readonly name: string;
  /** In the overview: a few words. */
  readonly summary: string;
  /** In its own help: whole sentences. */
  readonly description: string;
  /** Lines to paste; a remark behind one starts with #. A subcommand has none. */
  readonly examples: string;
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  /** With these and no options of its own, only they do something. */
  readonly commands?: readonly CommandSpec[];
}

/** A command whose description is its summary, where it has no other. */
export const command = <
  const N extends string,
  const M extends Partial<Omit<CommandSpec, "name" | "summary">>,
>(
  name: N,
  summary: string,
  more: M,
) => ({ name, summary, description: `${summary}.`, examples: "", ...more });

/** As `<skill>`, `[path...]`, what it means, and what a shell can complete it with. */
export type ArgumentSpec = readonly [name: string, description: string, values?: Values];

/** What a shell completes: these words, or what Knack or the shell looks up. */
export type Values =
  | readonly string[]
  | "skill"
  | "disabled-skill"
  | "typed-skill"
  | "command"
  | "file"
  | "folder";

export interface OptionSpec {
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
  /** What a shell can complete it with, where it has no choices; `<file>` is completed with files. */
  readonly values?: Values;
  /** Reads the value; throws `KnackError` with the option's name where it is wrong. Without it the value is text. */
  readonly parse?: ReadValue;
  readonly default?: string;
  readonly isRequired?: boolean;
  /** It can be given again, and all values count. */
  readonly isList?: boolean;
}

export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandSpec[];
}

export const option = <
  const F extends string,
  const M extends Omit<OptionSpec, "flags" | "description"> = Record<never, never>,
>(
  flags: F,
  description: string,
  more?: M,
) => ({ flags, description, ...(more as M) });

export const SKILL = ["<skill>", "Name, id, scope:name, folder or SKILL.md of the skill", "skill"] as const;

export const SCOPES = ["repo", "user", "bundled"] as const;

export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  option("--json", "Print data as JSON"),
  option("--cwd <dir>", "Run as if started in this folder", { values: "folder" }),
  option("--no-color", "Print without colors"),
];

export const HELP_OPTION: OptionSpec = option("-h, --help", "Print help");
export const VERSION_OPTION: OptionSpec = option("-V, --version", "Print the version");

/** `knack help` is no row of the table: it shows the rows. */
export const HELP_COMMAND = {
  name: "help",
  summary: "Show what a command does, with examples",
  argument: ["[command]", "Name of a command", "command"],
} as const satisfies { name: string; summary: string; argument: ArgumentSpec };

export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;
