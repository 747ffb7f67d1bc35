import { type ArgumentSpec, type CommandGroup, type OptionSpec, option } from "./command-spec.ts";

/** What a dispatch takes, whoever chose its role and skill. */
const RUNNER: readonly OptionSpec[] = [
  option("--max-depth <n>", "the deepest that a skill may be (dispatch.maxDepth, 3)"),
  option("--request-id <id>", "an id for the whole tree; one is made by default"),
  option("--runner <name>", "claude, codex, gemini, opencode, or one of your configuration"),
  option("--runner-cmd <command>", "a command, started without a shell; $(cat) is the frame as one argument"),
  option("--timeout <seconds>", "how long each runner may take (1800)"),
  option("--output-file <file>", "write the frame there"),
  option("--dry-run", "make the frame and run nothing"),
];

const REQUEST: ArgumentSpec = ["<text...>", "the request"];

export const DISPATCH: CommandGroup = {
  title: "Hand work to a skill:",
  commands: [
    {
      name: "route",
      summary: "which role and skill a request goes to, and why",
      description: "Say which role and skill a request goes to, and why.",
      examples: `
  knack route the import test fails since yesterday
  knack route "請審查需求文件並 debug"
  knack route "write the release notes" --json | jq -r .skill`,
      arguments: [REQUEST],
      load: () => import("../dispatch/route.ts").then(({ route }) => route),
    },
    {
      name: "dispatch",
      summary: "hand a task to a skill in a role, to a runner",
      description:
        "Hand a task to a skill in a role: guards, frame, runner, then the skills that it requires now.",
      examples: `
  knack dispatch --role fixer --skill systematic-debugging --prompt "The import test fails"      # prints the frame
  knack dispatch --role fixer --skill systematic-debugging --prompt "…" --runner claude
  knack dispatch --role fixer --skill systematic-debugging --execution-mode delegated --depth 1 \\
    --parent-skill executing-plans --edge-type requires_now --visited-skills writing-plans,executing-plans \\
    --prompt "…" --runner-cmd 'gemini --model "gemini-3-flash-preview" -p "$(cat)"'
  knack dispatch --role oracle --skill code-review --prompt-file task.md --dry-run --json`,
      options: [
        ...RUNNER,
        option("--role <role>", "explorer, oracle, librarian, fixer or designer", { isRequired: true }),
        option("--skill <skill>", "name, id, scope:name, folder or SKILL.md of the skill", {
          isRequired: true,
        }),
        option("--prompt <text>", "the task"),
        option("--prompt-file <file>", "the task, from a file; - reads standard input"),
        option("--execution-mode <mode>", "root: the outermost request", { choices: ["root", "delegated"] }),
        option("--depth <n>", "the caller's depth; the skill gets one more"),
        option("--parent-skill <skill>", "the skill that calls"),
        option("--edge-type <type>", "how the caller refers to the skill; what its text says by default", {
          choices: ["requires_now", "requires_later", "reference_only"],
        }),
        option("--visited-skills <skills>", "skills that were visited, with commas between"),
        option(
          "--skill-stack <skills>",
          "the caller's stack, outermost first; the visited and the parent by default",
        ),
        option("--allow-reentry", "let a visited skill be dispatched again"),
      ],
      load: () => import("../dispatch/dispatch.ts").then(({ dispatch }) => dispatch),
    },
    {
      name: "orchestrate",
      summary: "route a request, then dispatch it",
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
      summary: "which skill needs which; cycles, missing skills",
      description:
        "Show which skill needs which, by their own texts, with cycles and references to skills that are not there.",
      examples: `
  knack graph
  knack graph --format mermaid > skills.mmd
  knack graph --format dot | dot -Tsvg > skills.svg
  knack graph --json | jq -r '.edges[] | select(.type == "requires_now") | "\\(.from) → \\(.to)"'`,
      options: [
        option("--format <format>", "how to show it", {
          choices: ["text", "mermaid", "dot", "json"],
          default: "text",
        }),
      ],
      load: () => import("../skills/graph.ts").then(({ graph }) => graph),
    },
  ],
};
