import { span } from "@knack/core/telemetry";
import { type Command, Option } from "commander";
import { DISPATCH, SERVE } from "./table/agents.ts";
import {
  type CommandGroup,
  type CommandSpec,
  HELP_COMMAND,
  type LoadAction,
  type OptionSpec,
} from "./table/command-spec.ts";
import { ENGINE } from "./table/engine.ts";
import { CHECK, POLICY } from "./table/policy.ts";
import { FIND, GET, PIN, WRITE } from "./table/skills.ts";

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

function actionOf(load: LoadAction, name: string): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    const self = given.at(-1) as Command;
    const action = (await load()) as (...given: unknown[]) => unknown;
    await tracedCommand(name, async () => action(...given.slice(0, -2), self.optsWithGlobals()));
  };
}

const STARTS = `
Start here:
  knack list                         # the skills here
  knack setup claude                 # set up your agent
  knack help <command>               # options and examples`;

/** Adds every command, in its group for `knack --help`, and `knack help` to the last group. */
export function addAllCommands(program: Command): void {
  for (const { title, commands } of GROUPS)
    for (const spec of commands) addCommand(program, spec).helpGroup(title).summary(spec.summary);
  program
    .helpCommand(false)
    .command(`${HELP_COMMAND.name} ${HELP_COMMAND.argument[0]}`)
    .summary(HELP_COMMAND.summary)
    .helpGroup(GROUPS.at(-1)?.title ?? "")
    .action(async (name: string | undefined) => {
      const named = program.commands.find((command) => command.name() === name);
      // An unknown name gets the same message as without "help", with the nearest command.
      if (name !== undefined && !named) await program.parseAsync([name], { from: "user" });
      (named ?? program).help();
    });
  program.configureHelp({ ...program.configureHelp(), subcommandTerm: termOf }).addHelpText("after", STARTS);
}

/** A command with its arguments. "[options]" is omitted: nearly all have some. */
function termOf(command: Command): string {
  const words = command.registeredArguments.map((argument) => {
    const name = argument.name() + (argument.variadic ? "…" : "");
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...words].join(" ");
}
