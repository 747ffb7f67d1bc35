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
        ? "Name a command; --help lists them."
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
    .version(version, "-V, --version", "print the version")
    .option("--json", "print data as JSON")
    .option("--cwd <dir>", "work as if started in this folder")
    .option("--no-color", "print without colour")
    .helpOption("-h, --help", "print help")
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Run with "--help" for what there is.')
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
    "Show the catalog: every skill that can be used here.",
    "  knack list\n  knack list --scope user\n  knack list --all            # also what is disabled, ineligible or shadowed\n  knack list --json | jq -r '.skills[].name'",
  )
    .addOption(
      new Option("--scope <scope>", "only skills of this scope").choices(["repo", "user", "bundled"]),
    )
    .option("--all", "also disabled, ineligible and shadowed skills, with the reason")
    .action(async (_options, self: Command) =>
      (await import("./skills/list.ts")).list(self.optsWithGlobals()),
    );

  command(
    "search",
    "Find skills for the words at hand, best first, with the reason.",
    "  knack search release notes\n  knack search \"the import test fails since yesterday\"\n  knack search レビュー --limit 3\n  knack search review --json | jq -r '.results[0].skill.path'",
  )
    .argument("<words...>", "a name, a path, some words or a whole request")
    .option("--limit <n>", "how many at most")
    .option("--all", "also what does not fit and merely comes near")
    .addOption(
      new Option("--scope <scope>", "only skills of this scope").choices(["repo", "user", "bundled"]),
    )
    .action(async (words: string[], _options, self: Command) =>
      (await import("./skills/search.ts")).search(words, self.optsWithGlobals()),
    );

  command(
    "show",
    "Show one skill: metadata, files, edges and what is wrong with it. Loads nothing.",
    "  knack show release-notes\n  knack show .agents/skills/release-notes\n  knack show release-notes --json",
  )
    .argument("<skill>", "name, folder or SKILL.md of the skill")
    .action(async (skill: string, _options, self: Command) =>
      (await import("./skills/show.ts")).show(skill, self.optsWithGlobals()),
    );

  command(
    "load",
    "Load a skill: print the text that an agent would get.",
    '  knack load release-notes\n  knack load .agents/skills/release-notes\n  knack load code-review --args "src/server.ts"\n  knack load release-notes --json    # the tool\'s whole answer',
  )
    .argument("<skill>", "name, folder or SKILL.md of the skill")
    .option("--args <text>", "arguments, put in place of $ARGUMENTS")
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
    "A prompt for the slash commands; reads a pipe too.",
    "  knack shell\n  echo /skills | knack shell\n  printf '/skill code-review src/server.ts\\n' | knack shell --json",
  ).action(async (_options, self: Command) => (await import("./use/shell.ts")).shell(self.optsWithGlobals()));

  command(
    "rpc",
    "JSON-RPC 2.0 on standard input and output, one message a line; one process is one conversation.",
    '  knack rpc\n  echo \'{"jsonrpc":"2.0","id":1,"method":"skills.list"}\' | knack rpc',
  ).action(async (_options, self: Command) => (await import("../rpc/serve.ts")).rpc(self.optsWithGlobals()));

  command(
    "validate",
    "Check skills. Exit code 1 if one is invalid.",
    "  knack validate                                # everything that is found from here\n  knack validate .agents/skills/release-notes   # one skill\n  knack validate ~/collection                   # a folder of skills",
  )
    .argument("[path...]", "a skill, its SKILL.md, or a folder of skills")
    .action(async (paths: string[], _options, self: Command) =>
      (await import("./skills/validate.ts")).validate(paths, self.optsWithGlobals()),
    );

  command(
    "graph",
    "Show which skill needs which, by their own texts, with cycles and references to skills that are not there.",
    '  knack graph\n  knack graph --format mermaid > skills.mmd\n  knack graph --format dot | dot -Tsvg > skills.svg\n  knack graph --json | jq -r \'.edges[] | select(.type == "requires_now") | "\\(.from) → \\(.to)"\'\n  knack graph --explain release-notes    # the rule and the sentence behind each edge',
  )
    .option(
      "--explain [skill]",
      "name the rules, the sentence and the line of each edge, of one skill or of all",
    )
    .addOption(
      new Option("--format <format>", "how to show it")
        .choices(["text", "mermaid", "dot", "json"])
        .default("text"),
    )
    .action(async (_options, self: Command) =>
      (await import("./skills/graph.ts")).graph(self.optsWithGlobals()),
    );

  command(
    "eval",
    "Run trigger tests: do the prompts that authors wrote find their skills?",
    "  knack eval                              # every skill that has trigger tests\n  knack eval .agents/skills/release-notes\n  knack eval --min-hit1 0.8 --min-recall 0.95    # exit code 1 below that",
  )
    .argument("[path...]", "skills or folders of skills")
    .option("--min-hit1 <share>", "smallest share of prompts that find their skill first, 0..1 or percent")
    .option("--min-recall <share>", "smallest share of prompts that find it at all")
    .option("--k <n>", "how many results count as found")
    .action(async (paths: string[], _options, self: Command) =>
      (await import("./skills/eval.ts")).evaluate(paths, self.optsWithGlobals()),
    );

  command(
    "new",
    "Start a skill: writes a valid .agents/skills/<name>/SKILL.md at the project root.",
    '  knack new release-notes\n  knack new release-notes --description "Draft release notes from commits. Use before a release."',
  )
    .argument("<name>", "lowercase letters and digits, joined by single hyphens")
    .option("--description <text>", "what the skill does and when to use it")
    .action(async (name: string, _options, self: Command) =>
      (await import("./skills/new.ts")).newSkill(name, self.optsWithGlobals()),
    );

  command(
    "doctor",
    "Say what is where, what is wrong, which skills overlap and what to do. Exit code 1 if something is wrong.",
    "  knack doctor\n  knack doctor --json",
  ).action(async (_options, self: Command) =>
    (await import("./doctor/doctor.ts")).doctor(self.optsWithGlobals()),
  );

  command(
    "trust",
    "Trust this project: its configuration and links may reach out of it, its code may run, as it and its registry entry are now.",
    "  knack trust                 # asks first\n  knack trust --yes           # where nobody can be asked\n  knack trust --revoke",
  )
    .option("--revoke", "take the trust back")
    .option("-y, --yes", "do not ask")
    .action(async (_options, self: Command) =>
      (await import("./policy/trust.ts")).trust(self.optsWithGlobals()),
    );

  const policy = (made: Command, kind: "allow" | "deny" | "enable" | "disable"): Command =>
    made
      .argument("<skill>", "name, folder or SKILL.md of the skill")
      .option("--project", "write to the project's .knack/config.yaml instead of your own")
      .action(async (skill: string, _options, self: Command) =>
        (await import("./policy/policy.ts")).policy(kind, skill, self.optsWithGlobals()),
      );
  policy(
    command(
      "allow",
      "Let models load a skill without a question; takes back a deny.",
      "  knack allow release-notes\n  knack allow release-notes --project    # for everybody who trusts this project",
    ),
    "allow",
  );
  policy(
    command(
      "deny",
      "Let nobody load a skill; takes back an allow.",
      "  knack deny release-notes\n  knack deny .agents/skills/release-notes\n  knack deny release-notes --project     # for everybody in this project",
    ),
    "deny",
  );
  policy(
    command(
      "enable",
      "Switch a skill on again.",
      "  knack enable release-notes\n  knack enable release-notes --project",
    ),
    "enable",
  );
  policy(
    command(
      "disable",
      "Switch a skill off: it is in no list and no search.",
      "  knack disable release-notes                  # every skill of this name\n  knack disable .agents/skills/release-notes   # this one\n  knack list --all                             # shows what is switched off",
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
