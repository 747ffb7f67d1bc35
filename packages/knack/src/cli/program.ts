import { Command, CommanderError, Option } from "commander";
import type { GlobalOptions } from "../options.ts";
import { note, print, printJson } from "../terminal/output.ts";
import { visible } from "../terminal/visible.ts";
import { version } from "../version.ts";
import { fail } from "./fail.ts";
import { cutLongWords } from "./long-words.ts";

/** The command line. A command's own code is loaded when it is called, so that none pays for the others. */
export async function run(argv: readonly string[]): Promise<void> {
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
      // Nobody can be told: the streams themselves are what fails.
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
      // As all data is written: whoever has read enough (`| head`) ends it quietly.
      writeOut: (text) => print(text.trimEnd()),
      outputError: (text) => note(cutLongWords(text).trimEnd().split("\n").map(visible).join("\n")),
    })
    .exitOverride();

  const command = (name: string, summary: string, examples: string): Command =>
    program.command(name).description(summary).addHelpText("after", `\nExamples:\n${examples}`);

  command(
    "list",
    "List the skills that can be used here.",
    "  knack list\n  knack list --scope user\n  knack list --all            # also disabled, ineligible and shadowed skills\n  knack list --json | jq -r '.skills[].name'",
  )
    .addOption(
      new Option("--scope <scope>", "Show only skills of this scope").choices(["repo", "user", "bundled"]),
    )
    .option("--all", "Also list disabled, ineligible and shadowed skills, with the reason")
    .action(async (_options, self: Command) =>
      (await import("./skills/list.ts")).list(self.optsWithGlobals()),
    );

  command(
    "search",
    "Search skills, best match first, with the reason.",
    "  knack search release notes\n  knack search \"the import test fails since yesterday\"\n  knack search レビュー --limit 3\n  knack search review --json | jq -r '.results[0].skill.path'",
  )
    .argument("<words...>", "Name, path, words or a whole request")
    .option("--limit <n>", "Maximum number of results")
    .option("--all", "Also show weaker matches that do not fit")
    .addOption(
      new Option("--scope <scope>", "Show only skills of this scope").choices(["repo", "user", "bundled"]),
    )
    .action(async (words: string[], _options, self: Command) =>
      (await import("./skills/search.ts")).search(words, self.optsWithGlobals()),
    );

  command(
    "show",
    "Show one skill: metadata, files, edges and problems. Loads nothing.",
    "  knack show release-notes\n  knack show .agents/skills/release-notes\n  knack show release-notes --json",
  )
    .argument("<skill>", "Name, folder or SKILL.md of the skill")
    .action(async (skill: string, _options, self: Command) =>
      (await import("./skills/show.ts")).show(skill, self.optsWithGlobals()),
    );

  command(
    "load",
    "Load a skill: print the text that an agent gets.",
    '  knack load release-notes\n  knack load .agents/skills/release-notes\n  knack load code-review --args "src/server.ts"\n  knack load release-notes --json    # the whole answer of the tool',
  )
    .argument("<skill>", "Name, folder or SKILL.md of the skill")
    .option("--args <text>", "Arguments, which replace $ARGUMENTS")
    .action(async (skill: string, _options, self: Command) =>
      (await import("./use/load.ts")).load(skill, self.optsWithGlobals()),
    );

  command(
    "context",
    "Print the list of skills that goes into a model's system prompt, within its budget.",
    "  knack context\n  knack context --json | jq .bytes",
  ).action(async (_options, self: Command) =>
    (await import("./use/context.ts")).context(self.optsWithGlobals()),
  );

  command(
    "shell",
    "Run slash commands at a prompt or from a pipe.",
    "  knack shell\n  echo /skills | knack shell\n  printf '/skill code-review src/server.ts\\n' | knack shell --json",
  ).action(async (_options, self: Command) => (await import("./use/shell.ts")).shell(self.optsWithGlobals()));

  command(
    "rpc",
    "Serve JSON-RPC 2.0 on standard input and output, one message per line. One process is one conversation.",
    '  knack rpc\n  echo \'{"jsonrpc":"2.0","id":1,"method":"skills.list"}\' | knack rpc',
  ).action(async (_options, self: Command) => (await import("../rpc/serve.ts")).rpc(self.optsWithGlobals()));

  command(
    "validate",
    "Check skills. Exit code 1 if one is invalid.",
    "  knack validate                                # every skill found from here\n  knack validate .agents/skills/release-notes   # one skill\n  knack validate ~/collection                   # a folder of skills",
  )
    .argument("[path...]", "Skill, its SKILL.md, or a folder of skills")
    .action(async (paths: string[], _options, self: Command) =>
      (await import("./skills/validate.ts")).validate(paths, self.optsWithGlobals()),
    );

  command(
    "graph",
    "Show which skill needs which, with cycles and references to missing skills.",
    '  knack graph\n  knack graph --format mermaid > skills.mmd\n  knack graph --format dot | dot -Tsvg > skills.svg\n  knack graph --json | jq -r \'.edges[] | select(.type == "requires_now") | "\\(.from) → \\(.to)"\'',
  )
    .addOption(
      new Option("--format <format>", "Output format")
        .choices(["text", "mermaid", "dot", "json"])
        .default("text"),
    )
    .action(async (_options, self: Command) =>
      (await import("./skills/graph.ts")).graph(self.optsWithGlobals()),
    );

  command(
    "eval",
    "Run trigger tests: check that the prompts of each author find the right skill.",
    "  knack eval                              # every skill that has trigger tests\n  knack eval .agents/skills/release-notes\n  knack eval --min-hit1 0.8 --min-recall 0.95    # exit code 1 below that",
  )
    .argument("[path...]", "Skills or folders of skills")
    .option("--min-hit1 <share>", "Minimum share of prompts that find their skill first, 0..1 or percent")
    .option("--min-recall <share>", "Minimum share of prompts that find their skill at all")
    .option("--k <n>", "Number of results that count as found")
    .action(async (paths: string[], _options, self: Command) =>
      (await import("./skills/eval.ts")).evaluate(paths, self.optsWithGlobals()),
    );

  command(
    "new",
    "Create a skill: write a valid .agents/skills/<name>/SKILL.md at the project root.",
    '  knack new release-notes\n  knack new release-notes --description "Draft release notes from commits. Use before a release."',
  )
    .argument("<name>", "Lowercase letters and digits, joined by single hyphens")
    .option("--description <text>", "What the skill does and when to use it")
    .action(async (name: string, _options, self: Command) =>
      (await import("./skills/new.ts")).newSkill(name, self.optsWithGlobals()),
    );

  command(
    "doctor",
    "Check the setup: where things are, what is wrong, how to fix it, which skills overlap. Exit code 1 if something is wrong.",
    "  knack doctor\n  knack doctor --json",
  ).action(async (_options, self: Command) =>
    (await import("./doctor/doctor.ts")).doctor(self.optsWithGlobals()),
  );

  command(
    "trust",
    "Trust this project: its configuration and links may reach outside it, and its code may run in its current form.",
    "  knack trust                 # asks first\n  knack trust --yes           # without a terminal\n  knack trust --revoke",
  )
    .option("--revoke", "Revoke the trust")
    .option("-y, --yes", "Do not ask for confirmation")
    .action(async (_options, self: Command) =>
      (await import("./policy/trust.ts")).trust(self.optsWithGlobals()),
    );

  const policy = (made: Command, kind: "allow" | "deny" | "enable" | "disable"): Command =>
    made
      .argument("<skill>", "Name, folder or SKILL.md of the skill")
      .option("--project", "Write to the project's .knack/config.yaml instead of your own")
      .action(async (skill: string, _options, self: Command) =>
        (await import("./policy/policy.ts")).policy(kind, skill, self.optsWithGlobals()),
      );
  policy(
    command(
      "allow",
      "Let models load a skill without asking; removes a deny.",
      "  knack allow release-notes\n  knack allow release-notes --project    # for everyone who trusts this project",
    ),
    "allow",
  );
  policy(
    command(
      "deny",
      "Forbid everyone to load a skill; removes an allow.",
      "  knack deny release-notes\n  knack deny .agents/skills/release-notes\n  knack deny release-notes --project     # for everyone in this project",
    ),
    "deny",
  );
  policy(
    command(
      "enable",
      "Enable a disabled skill.",
      "  knack enable release-notes\n  knack enable release-notes --project",
    ),
    "enable",
  );
  policy(
    command(
      "disable",
      "Disable a skill: hide it from lists and searches.",
      "  knack disable release-notes                  # every skill with this name\n  knack disable .agents/skills/release-notes   # only this one\n  knack list --all                             # shows disabled skills",
    ),
    "disable",
  );

  // A command of those above is found without the rest, whose options would cost it a few milliseconds.
  const word = argv.find((argument, place) => !argument.startsWith("-") && argv[place - 1] !== "--cwd");
  if (!program.commands.some((known) => known.name() === word)) {
    (await import("./engine/engine-commands.ts")).addEngineCommands(command);
    (await import("./dispatch/dispatch-commands.ts")).addDispatchCommands(command);
    (await import("./server-commands.ts")).addServerCommands(command);
    (await import("./overview.ts")).addOverview(program);
  }
  return program;
}
