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
  readonly commands?: readonly CommandSpec[];
  /** The function that does it; absent where only its subcommands do something. */
  readonly load?: LoadAction;
}

/** A command whose description is its summary, where it has no other. */
export const command = (
  name: string,
  summary: string,
  more: Partial<Omit<CommandSpec, "name" | "summary">>,
): CommandSpec => ({ name, summary, description: `${summary}.`, examples: "", ...more });

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

type Action = (...given: never[]) => unknown;

export type LoadAction = () => Promise<Action>;

export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandSpec[];
}

export const option = (
  flags: string,
  description: string,
  more: Omit<OptionSpec, "flags" | "description"> = {},
): OptionSpec => ({ flags, description, ...more });

export const SKILL: ArgumentSpec = [
  "<skill>",
  "Name, id, scope:name, folder or SKILL.md of the skill",
  "skill",
];

export const SCOPES: readonly string[] = ["repo", "user", "bundled"];

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
