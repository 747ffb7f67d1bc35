import { Command, CommanderError } from "commander";
import type { GlobalOptions } from "../options.ts";
import { beginOutput, note, type Output, print, printJson } from "../terminal/output.ts";
import { escapeControl } from "../terminal/visible.ts";
import { version } from "../version.ts";
import { addCommand } from "./add-command.ts";
import { COMMANDS } from "./commands.ts";
import { fail } from "./fail.ts";
import { cutLongWords } from "./long-words.ts";
import type { CommandSpec } from "./table/command-spec.ts";

/** The command line. A command's own code is loaded when it is called, so that no command pays for the others. */
export async function run(argv: readonly string[], output?: Output): Promise<void> {
  beginOutput(output);
  const program = await makeProgram(argv);
  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has already written its message. Help and version were asked for; the rest is wrong usage.
      process.exitCode = error.exitCode === 0 ? 0 : 2;
      const isHelp = error.code === "commander.help";
      const message = isHelp
        ? "Name a command; --help lists them all."
        : cutLongWords(error.message.replace(/^error: /, ""));
      if (error.exitCode !== 0 && argv.includes("--json"))
        printJson({ error: { code: "INVALID_PARAM", message } });
      return;
    }
    try {
      fail(error, program.opts<GlobalOptions>());
    } catch {
      // Nothing can be reported: the streams themselves fail.
      process.exitCode = 1;
    }
  }
}

async function makeProgram(argv: readonly string[]): Promise<Command> {
  const program = new Command("knack")
    .description("The skill runtime for AI agents.")
    .version(version, "-V, --version", "Print the version")
    .option("--json", "Print data as JSON")
    .option("--cwd <dir>", "Run as if started in this folder")
    .option("--no-color", "Print without colors")
    .helpOption("-h, --help", "Print help")
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Run with "--help" to see the options.')
    .configureOutput({
      // Data is written so that a reader that has enough (`| head`) ends it quietly.
      writeOut: (text) => print(text.trimEnd()),
      writeErr: (text) => note(text.trimEnd()),
      outputError: (text) => note(cutLongWords(text).trimEnd().split("\n").map(escapeControl).join("\n")),
    })
    .exitOverride();
  // The options of all commands together cost a few milliseconds; most calls need those of one.
  const named = commandOf(argv);
  if (named) addCommand(program, named);
  else (await import("./overview.ts")).addAllCommands(program);
  return program;
}

/** The command that the words name, where only global options come before it. */
function commandOf(argv: readonly string[]): CommandSpec | undefined {
  const at = argv.findIndex((word, place) => !word.startsWith("-") && argv[place - 1] !== "--cwd");
  const isPlain = argv
    .slice(0, Math.max(0, at))
    .every((word) => !/^-(?!-(?:json|no-color|cwd)(?:=|$))/.test(word));
  return isPlain ? COMMANDS.find(({ name }) => name === argv[at]) : undefined;
}
