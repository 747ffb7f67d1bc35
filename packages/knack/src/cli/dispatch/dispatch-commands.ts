import { type Command, Option } from "commander";

/** Makes a command with its summary and examples. */
type AddCommand = (name: string, summary: string, examples: string) => Command;

/** The commands that take a request to a role and a skill, and from skill to skill. */
export function addDispatchCommands(command: AddCommand): void {
  withRunner(command)(
    "dispatch",
    "Dispatch a task to a skill in a role: check it, build the frame, start the runner. Then dispatch the skills it requires now.",
    `  knack dispatch --role fixer --skill systematic-debugging --prompt "The import test fails"      # prints the frame
  knack dispatch --role fixer --skill systematic-debugging --prompt "…" --runner claude
  knack dispatch --role fixer --skill systematic-debugging --execution-mode delegated --depth 1 \\
    --parent-skill executing-plans --edge-type requires_now --visited-skills writing-plans,executing-plans \\
    --prompt "…" --runner-cmd 'gemini --model "gemini-3-flash-preview" -p "$(cat)"'
  knack dispatch --role oracle --skill code-review --prompt-file task.md --dry-run --json`,
  )
    .requiredOption("--role <role>", "Role: explorer, oracle, librarian, fixer or designer")
    .requiredOption("--skill <skill>", "Name, folder or SKILL.md of the skill")
    .option("--prompt <text>", "Task for the skill")
    .option("--prompt-file <file>", "Read the task from a file; - reads standard input")
    .addOption(
      new Option(
        "--execution-mode <mode>",
        "Whether this is the outermost request or a call by a skill",
      ).choices(["root", "delegated"]),
    )
    .option("--depth <n>", "Depth of the caller; the skill is one level deeper")
    .option("--parent-skill <skill>", "Skill that makes the call")
    .addOption(
      new Option(
        "--edge-type <type>",
        "How the caller refers to the skill [default: what its text says]",
      ).choices(["requires_now", "requires_later", "reference_only"]),
    )
    .option("--visited-skills <skills>", "Skills already visited, separated by commas")
    .option(
      "--skill-stack <skills>",
      "Stack of the caller, outermost first [default: visited skills, then the parent]",
    )
    .option("--allow-reentry", "Allow a visited skill to be dispatched again")
    .action(async (_options, self: Command) =>
      (await import("./dispatch.ts")).dispatch(self.optsWithGlobals()),
    );

  command(
    "route",
    "Show which role and skill a request goes to, and why.",
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
      .option("--max-depth <n>", "Maximum depth of a skill [default: dispatch.maxDepth, 3]")
      .option("--request-id <id>", "Id for the whole tree [default: a new one]")
      .option("--runner <name>", "Runner: claude, codex, gemini, opencode, or one from your configuration")
      .option(
        "--runner-cmd <command>",
        "Command to run, without a shell; $(cat) is the frame as one argument",
      )
      .option("--timeout <seconds>", "Time limit for each runner [default: 1800]")
      .option("--output-file <file>", "Write the frame to this file")
      .option("--dry-run", "Build the frame and run nothing");
}
