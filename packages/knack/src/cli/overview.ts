import type { Command } from "commander";
import { addCommand, GROUPS } from "./commands.ts";
import { HELP_COMMAND } from "./table/command-spec.ts";

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
