import { span } from "@knack/core/telemetry";
import { type Command, Option } from "commander";
import { DISPATCH, SERVE } from "./table/agents.ts";
import type { CommandGroup, CommandSpec, LoadAction, OptionSpec } from "./table/command-spec.ts";
import { ENGINE } from "./table/engine.ts";
import { CHECK, POLICY } from "./table/policy.ts";
import { FIND, GET, PIN, WRITE } from "./table/skills.ts";

/** Every command, in the groups and the order of `knack --help`. */
export const GROUPS: readonly CommandGroup[] = [
  FIND,
  SERVE,
  DISPATCH,
  WRITE,
  GET,
  PIN,
  POLICY,
  ENGINE,
  CHECK,
];

export const COMMANDS: readonly CommandSpec[] = GROUPS.flatMap(({ commands }) => commands);

/** These serve until they are stopped: each of their requests is a trace, not all of them together. */
const LASTING = new Set(["mcp", "rpc", "serve", "shell", "tui", "worker"]);

/** A command as a span, by its name in the table: its arguments could be anything. */
async function tracedCommand(name: string, work: () => Promise<unknown>): Promise<unknown> {
  if (LASTING.has(name)) return work();
  return span(`knack ${name}`, { "knack.command": name }, async (traced) => {
    await work();
    const code = Number(process.exitCode ?? 0);
    traced.set({ "process.exit.code": code });
    if (code !== 0) traced.fail(`EXIT_${code}`);
  });
}

/** Makes one command of the table known to the program. */
export function addCommand(program: Command, spec: CommandSpec): Command {
  const command = declare(program, spec).addHelpText("after", `\nExamples:${spec.examples}`);
  for (const subcommand of spec.commands ?? []) declare(command, subcommand);
  return command;
}

function declare(parent: Command, spec: CommandSpec): Command {
  const command = parent.command(spec.name).description(spec.description);
  for (const [name, description] of spec.arguments ?? []) command.argument(name, description);
  for (const option of spec.options ?? []) command.addOption(optionOf(option));
  if (!spec.load) return command;
  const name = parent.parent ? `${parent.name()} ${spec.name}` : spec.name;
  return command.action(actionOf(spec.load, name));
}

export function optionOf(spec: OptionSpec): Option {
  const option = new Option(spec.flags, spec.description);
  if (spec.choices) option.choices(spec.choices);
  if (spec.default !== undefined) option.default(spec.default);
  if (spec.isList) option.argParser(collect);
  const { parse } = spec;
  if (parse) option.argParser((given) => parse(given, option.long ?? spec.flags));
  return option.makeOptionMandatory(spec.isRequired === true);
}

const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

/** Commander hands over the arguments, the command's own options and the command. */
function actionOf(load: LoadAction, name: string): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    const self = given.at(-1) as Command;
    const action = (await load()) as (...given: unknown[]) => unknown;
    await tracedCommand(name, async () => action(...given.slice(0, -2), self.optsWithGlobals()));
  };
}
