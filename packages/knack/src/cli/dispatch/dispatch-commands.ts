import { type Command, Option } from "commander";

/** Makes a command with its summary and examples. */
type AddCommand = (name: string, summary: string, examples: string) => Command;

/** The commands that take a request to a role and a skill, and from skill to skill. */
export function addDispatchCommands(command: AddCommand): void {
  withRunner(command)(
    "dispatch",
    "Hand a task to a skill in a role: guards, frame, runner, then the skills that it requires now.",
    `  knack dispatch --role fixer --skill systematic-debugging --prompt "The import test fails"      # prints the frame
  knack dispatch --role fixer --skill systematic-debugging --prompt "…" --runner claude
  knack dispatch --role fixer --skill systematic-debugging --execution-mode delegated --depth 1 \\
    --parent-skill executing-plans --edge-type requires_now --visited-skills writing-plans,executing-plans \\
    --prompt "…" --runner-cmd 'gemini --model "gemini-3-flash-preview" -p "$(cat)"'
  knack dispatch --role oracle --skill code-review --prompt-file task.md --dry-run --json`,
  )
    .requiredOption("--role <role>", "explorer, oracle, librarian, fixer or designer")
    .requiredOption("--skill <skill>", "name, id, scope:name, folder or SKILL.md of the skill")
    .option("--prompt <text>", "the task")
    .option("--prompt-file <file>", "the task, from a file; - reads standard input")
    .addOption(
      new Option("--execution-mode <mode>", "root: the outermost request").choices(["root", "delegated"]),
    )
    .option("--depth <n>", "the caller's depth; the skill gets one more")
    .option("--parent-skill <skill>", "the skill that calls")
    .addOption(
      new Option(
        "--edge-type <type>",
        "how the caller refers to the skill; what its text says by default",
      ).choices(["requires_now", "requires_later", "reference_only"]),
    )
    .option("--visited-skills <skills>", "skills that were visited, with commas between")
    .option(
      "--skill-stack <skills>",
      "the caller's stack, outermost first; the visited and the parent by default",
    )
    .option("--allow-reentry", "let a visited skill be dispatched again")
    .action(async (_options, self: Command) =>
      (await import("./dispatch.ts")).dispatch(self.optsWithGlobals()),
    );

  command(
    "route",
    "Say which role and skill a request goes to, and why.",
    '  knack route the import test fails since yesterday\n  knack route "請審查需求文件並 debug"\n  knack route "write the release notes" --json | jq -r .skill',
  )
    .argument("<text...>", "the request")
    .action(async (words: string[], _options, self: Command) =>
      (await import("./route.ts")).route(words, self.optsWithGlobals()),
    );

  withRunner(command)(
    "orchestrate",
    "Route a request, then dispatch it.",
    '  knack orchestrate "the import test fails since yesterday"          # prints the frame\n  knack orchestrate "the import test fails since yesterday" --runner claude\n  knack orchestrate --dry-run --json "review this change" | jq .route',
  )
    .argument("<text...>", "the request")
    .action(async (words: string[], _options, self: Command) =>
      (await import("./orchestrate.ts")).orchestrate(words, self.optsWithGlobals()),
    );
}

/** What a dispatch can be told whoever chose its role and skill. */
function withRunner(command: AddCommand): AddCommand {
  return (name, summary, examples) =>
    command(name, summary, examples)
      .option("--max-depth <n>", "the deepest that a skill may be (dispatch.maxDepth, 3)")
      .option("--request-id <id>", "an id for the whole tree; one is made by default")
      .option("--runner <name>", "claude, codex, gemini, opencode, or one of your configuration")
      .option(
        "--runner-cmd <command>",
        "a command, started without a shell; $(cat) is the frame as one argument",
      )
      .option("--timeout <seconds>", "how long each runner may take (1800)")
      .option("--output-file <file>", "write the frame there")
      .option("--dry-run", "make the frame and run nothing");
}
