import { type Command, Option } from "commander";
import type { CommandSpec, LoadAction, OptionSpec, SubcommandSpec } from "./table/command-spec.ts";
import { tracedCommand } from "./traced-command.ts";

/** Makes one command of the table known to the program. */
export function addCommand(program: Command, spec: CommandSpec): Command {
  const command = declare(program, spec).addHelpText("after", `\nExamples:${spec.examples}`);
  for (const subcommand of spec.commands ?? []) declare(command, subcommand);
  return command;
}

function declare(parent: Command, spec: CommandSpec | SubcommandSpec): Command {
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
