import { type ArgumentSpec, type CommandGroup, type OptionSpec, option } from "./command-spec.ts";

/** The options of a dispatch, however its role and skill were chosen. */
const RUNNER: readonly OptionSpec[] = [
  option("--max-depth <n>", "Maximum depth of a skill [default: dispatch.maxDepth, 3]"),
  option("--request-id <id>", "Id for the whole tree [default: a new one]"),
  option("--runner <name>", "Runner: claude, codex, gemini, opencode, or one from your configuration", {
    values: ["claude", "codex", "gemini", "opencode"],
  }),
  option("--runner-cmd <command>", "Command to run, without a shell; $(cat) is the frame as one argument"),
  option("--timeout <seconds>", "Time limit for each runner [default: 1800]"),
  option("--output-file <file>", "Write the frame to this file", { values: "file" }),
  option("--dry-run", "Build the frame and run nothing"),
];

const REQUEST: ArgumentSpec = ["<text...>", "Request to route"];

export const DISPATCH: CommandGroup = {
  title: "Give work to a skill:",
  commands: [
    {
      name: "route",
      summary: "Show which role and skill a request goes to, and why",
      description: "Show which role and skill a request goes to, and why.",
      examples: `
  knack route the import test fails since yesterday
  knack route "請審查需求文件並 debug"
  knack route "write the release notes" --json | jq -r .skill`,
      arguments: [REQUEST],
      load: () => import("../dispatch/route.ts").then(({ route }) => route),
    },
    {
      name: "dispatch",
      summary: "Dispatch a task to a skill in a role",
      description:
        "Dispatch a task to a skill in a role: check it, build the frame, start the runner. Then dispatch the skills it requires now.",
      examples: `
  knack dispatch --role fixer --skill systematic-debugging --prompt "The import test fails"      # prints the frame
  knack dispatch --role fixer --skill systematic-debugging --prompt "…" --runner claude
  knack dispatch --role fixer --skill systematic-debugging --execution-mode delegated --depth 1 \\
    --parent-skill executing-plans --edge-type requires_now --visited-skills writing-plans,executing-plans \\
    --prompt "…" --runner-cmd 'gemini --model "gemini-3-flash-preview" -p "$(cat)"'
  knack dispatch --role oracle --skill code-review --prompt-file task.md --dry-run --json`,
      options: [
        ...RUNNER,
        option("--role <role>", "Role: explorer, oracle, librarian, fixer or designer", {
          isRequired: true,
          values: ["explorer", "oracle", "librarian", "fixer", "designer"],
        }),
        option("--skill <skill>", "Name, id, scope:name, folder or SKILL.md of the skill", {
          isRequired: true,
          values: "skill",
        }),
        option("--prompt <text>", "Task for the skill"),
        option("--prompt-file <file>", "Read the task from a file; - reads standard input", {
          values: "file",
        }),
        option("--execution-mode <mode>", "Whether this is the outermost request or a call by a skill", {
          choices: ["root", "delegated"],
        }),
        option("--depth <n>", "Depth of the caller; the skill is one level deeper"),
        option("--parent-skill <skill>", "Skill that makes the call", { values: "skill" }),
        option("--edge-type <type>", "How the caller refers to the skill [default: what its text says]", {
          choices: ["requires_now", "requires_later", "reference_only"],
        }),
        option("--visited-skills <skills>", "Skills already visited, separated by commas"),
        option(
          "--skill-stack <skills>",
          "Stack of the caller, outermost first [default: visited skills, then the parent]",
        ),
        option("--allow-reentry", "Allow a visited skill to be dispatched again"),
      ],
      load: () => import("../dispatch/dispatch.ts").then(({ dispatch }) => dispatch),
    },
    {
      name: "orchestrate",
      summary: "Route a request, then dispatch it",
      description: "Route a request, then dispatch it.",
      examples: `
  knack orchestrate "the import test fails since yesterday"          # prints the frame
  knack orchestrate "the import test fails since yesterday" --runner claude
  knack orchestrate --dry-run --json "review this change" | jq .route`,
      arguments: [REQUEST],
      options: RUNNER,
      load: () => import("../dispatch/orchestrate.ts").then(({ orchestrate }) => orchestrate),
    },
    {
      name: "graph",
      summary: "Show which skill needs which, cycles, missing skills",
      description: "Show which skill needs which, with cycles and references to missing skills.",
      examples: `
  knack graph
  knack graph --format mermaid > skills.mmd
  knack graph --format dot | dot -Tsvg > skills.svg
  knack graph --json | jq -r '.edges[] | select(.type == "requires_now") | "\\(.from) → \\(.to)"'
  knack graph --explain release-notes    # the rule and the sentence behind each edge`,
      options: [
        option("--format <format>", "Output format", {
          choices: ["text", "mermaid", "dot", "json"],
          default: "text",
        }),
        option(
          "--explain [skill]",
          "Show the rules, the sentence and the line of each edge, of one skill or all",
        ),
      ],
      load: () => import("../skills/graph.ts").then(({ graph }) => graph),
    },
  ],
};
