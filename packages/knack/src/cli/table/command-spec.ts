/** One command of the table: what `--help` says of it, what it takes, and where its code is. */
export interface CommandSpec {
  readonly name: string;
  /** In the overview: a few words. */
  readonly summary: string;
  /** In its own help: a sentence. */
  readonly description: string;
  /** Lines to paste; a remark behind one starts with #. */
  readonly examples: string;
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  readonly commands?: readonly SubcommandSpec[];
  /** The function that does it; absent where only its subcommands do something. */
  readonly load?: LoadAction;
}

export interface SubcommandSpec
  extends Pick<CommandSpec, "name" | "description" | "arguments" | "options" | "load"> {
  readonly load: LoadAction;
}

/** As `<skill>`, `[path...]`, and what it means. */
export type ArgumentSpec = readonly [name: string, description: string];

export interface OptionSpec {
  /** As `--limit <n>`. */
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  readonly isRequired?: boolean;
  /** It can be given again, and all values count. */
  readonly isList?: boolean;
}

/** Called with the arguments in their order, then the options. */
type Action = (...given: never[]) => unknown;

/** Loads a command's code, so that no command pays for the others. */
export type LoadAction = () => Promise<Action>;

/** Commands as `knack --help` groups them. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandSpec[];
}

export const option = (
  flags: string,
  description: string,
  more: Omit<OptionSpec, "flags" | "description"> = {},
): OptionSpec => ({ flags, description, ...more });

export const SKILL: ArgumentSpec = ["<skill>", "Name, id, scope:name, folder or SKILL.md of the skill"];

export const SCOPES: readonly string[] = ["repo", "user", "bundled"];
