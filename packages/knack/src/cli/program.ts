import { endTelemetry } from "@knack/core/telemetry";
import { Command, CommanderError } from "commander";
import type { GlobalOptions } from "../options.ts";
import { isExported, isTelemetryOn, unsupported, warnOnce } from "../telemetry/settings.ts";
import {
  beginOutput,
  isTerminal,
  note,
  type Output,
  print,
  printJson,
  withoutColor,
} from "../terminal/output.ts";
import { escapeControl, visiblePath } from "../terminal/visible.ts";
import { packageFolder, version } from "../version.ts";
import { addAllCommands, addCommand, optionOf } from "./commands.ts";
import { cutLongWords, fail } from "./fail.ts";
import { type CommandSpec, GLOBAL_OPTIONS, HELP_OPTION, VERSION_OPTION } from "./table/command-spec.ts";
import { COMMANDS } from "./table/table.ts";

/** What the scripts of `knack completion` call. */
const COMPLETE = "__complete";

/** The command line. A command's own code is loaded when it is called, so that no command pays for the others. */
export async function run(argv: readonly string[], output?: Output): Promise<void> {
  beginOutput(output);
  if (argv[0] === COMPLETE) {
    // The words of somebody's unfinished command: not to be read as options of this one.
    await (await import("./complete.ts")).complete(argv.slice(1));
    return;
  }
  if (argv[0] === "hook" && !argv.some((word) => /^(?:--help|-h)$/.test(word))) {
    // Wrong options would end with 2, by which several clients erase the prompt.
    await (await import("../hook/hook.ts")).hook(argv.slice(1));
    return;
  }
  if (isTelemetryOn(process.env)) await startTelemetry(process.env);
  await runCommand(argv);
  // A collector that does not answer must not keep the process.
  if (!(await endTelemetry())) process.exit();
}

/** Starts what the environment asks for. Wrong settings never fail a command. */
async function startTelemetry(env: NodeJS.ProcessEnv): Promise<void> {
  const fault = unsupported(env);
  if (fault !== undefined) warnOnce(fault);
  try {
    if (isExported("TRACES", env)) (await import("../telemetry/tracing.ts")).startTracing(env);
    if (isExported("METRICS", env)) (await import("../telemetry/push-metrics.ts")).pushMetrics(env);
  } catch {
    warnOnce("it cannot be started. Check the variables that begin with OTEL_.");
  }
}

async function runCommand(argv: readonly string[]): Promise<void> {
  const program = makeProgram(argv);
  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has already written its message. Help and version were asked for; the rest is wrong usage.
      process.exitCode = error.exitCode === 0 ? 0 : 2;
      // For a person who has several; a script gets the version alone.
      if (error.code === "commander.version" && isTerminal(1))
        note(
          `Runs from ${visiblePath(packageFolder())} on Node ${process.versions.node} (${visiblePath(process.execPath)}).`,
        );
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

function makeProgram(argv: readonly string[]): Command {
  const program = new Command("knack")
    .description("The skill runtime for AI agents.")
    .version(version, VERSION_OPTION.flags, VERSION_OPTION.description)
    .helpOption(HELP_OPTION.flags, HELP_OPTION.description)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Run with "--help" to see the options.')
    .configureOutput({
      // Data is written so that a reader that has enough (`| head`) ends it quietly.
      writeOut: (text) => print(text.trimEnd()),
      writeErr: (text) => note(text.trimEnd()),
      outputError: (text) => note(cutLongWords(text).trimEnd().split("\n").map(escapeControl).join("\n")),
    })
    .exitOverride();
  for (const option of GLOBAL_OPTIONS) program.addOption(optionOf(option));
  program.on("option:no-color", withoutColor);
  // The options of all commands together cost a few milliseconds; most calls need those of one.
  const named = commandOf(argv);
  if (named) addCommand(program, named);
  else addAllCommands(program);
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
