import { type ArgumentSpec, type CommandGroup, option } from "./command-spec.ts";

const PLAN: ArgumentSpec = ["<plan.yaml>", "the plan"];

export const ENGINE: CommandGroup = {
  title: "Run typed skills:",
  commands: [
    {
      name: "registry",
      summary: "the typed skills and their contracts",
      description: "Show the typed skills and their contracts. Exit code 1 if an entry is wrong.",
      examples: `
  knack registry
  knack registry --json | jq -r '.skills[].name'`,
      load: () => import("../engine/registry.ts").then(({ registry }) => registry),
    },
    {
      name: "run",
      summary: "run one, once per input",
      description: "Run a typed skill, once per input: what was made before is served again.",
      examples: `
  knack run file_fingerprint --input report.pdf
  knack run text_extract --input report.pdf --param max_chars=5000
  knack run diff_artifact --input left=old.md --input right=new.md
  knack run text_extract --input report.pdf --explain     # what the key is made of, and whether it would run`,
      arguments: [["<skill>", "name of a typed skill"]],
      options: [
        option("--input <[role=]path>", "a file for the skill; again for more", { isList: true }),
        option("--param <name=value>", "a parameter, as JSON or as text; again for more", { isList: true }),
        option("--task <id>", "the task that it is for: task or plan/task"),
        option("--explain", "say what the key is made of and whether it would run; run nothing"),
      ],
      load: () => import("../engine/run-with-guest.ts").then(({ runWithGuest }) => runWithGuest),
    },
    {
      name: "runs",
      summary: "what was run; runs show <id>",
      description: "Show the history of runs, the newest first.",
      examples: `
  knack runs
  knack runs --skill text_extract --status FAILED
  knack runs --since 2026-01-31 --limit 200
  knack runs show 0198c0de-…`,
      options: [
        option("--skill <name>", "only runs of this skill"),
        option("--status <status>", "only runs in this state", {
          choices: ["RUNNING", "SUCCEEDED", "FAILED"],
        }),
        option("--task <id>", "only runs for this task: task or plan/task"),
        option("--since <date>", "only runs that started then or later"),
        option("--limit <n>", "how many at most"),
      ],
      load: () => import("../engine/runs.ts").then(({ runs }) => runs),
      commands: [
        {
          name: "show",
          description: "Show one run with the end of its log.",
          arguments: [["<id>", "id of the run"]],
          load: () => import("../engine/runs.ts").then(({ showRun }) => showRun),
        },
      ],
    },
    {
      name: "plan",
      summary: "tasks that wait for each other: apply, status, run",
      description: "Work through a plan: tasks, what each waits for, the skill it runs.",
      examples: `
  knack plan apply plan.yaml
  knack plan status plan.yaml --format mermaid
  knack plan run plan.yaml              # what is READY, until nothing is left`,
      commands: [
        {
          name: "apply",
          description: "Make a plan known, or change it; evidence of tasks that stay is kept.",
          arguments: [PLAN],
          load: () => import("../engine/plan.ts").then(({ planApply }) => planApply),
        },
        {
          name: "status",
          description: "Show where every task stands and what it waits for.",
          arguments: [PLAN],
          options: [option("--format <format>", "draw it", { choices: ["mermaid", "dot"] })],
          load: () => import("../engine/plan.ts").then(({ planStatus }) => planStatus),
        },
        {
          name: "run",
          description:
            "Run what is READY until nothing is left. Exit code 1 if a task failed or was refused.",
          arguments: [PLAN],
          options: [option("--parallel <n>", "how many tasks at once (4)")],
          load: () => import("../engine/plan.ts").then(({ planRun }) => planRun),
        },
      ],
    },
    {
      name: "evidence",
      summary: "attach a file or a confirmation to a requirement",
      description: "Bind evidence to a requirement of a task by hand.",
      examples: `
  knack evidence add sign sign_off --confirm
  knack evidence add quarterly-report/sign sources --file docs/source-a.pdf`,
      commands: [
        {
          name: "add",
          description: "Attach a file, or your confirmation, to a requirement.",
          arguments: [
            ["<task>", "task or plan/task"],
            ["<requirement>", "name of the requirement"],
          ],
          options: [option("--file <path>", "a file"), option("--confirm", "your confirmation")],
          load: () => import("../engine/evidence.ts").then(({ addEvidence }) => addEvidence),
        },
      ],
    },
    {
      name: "audit",
      summary: "the log of what was done: verify, export",
      description: "Show the log of what was done, the newest last.",
      examples: `
  knack audit
  knack audit verify
  knack audit export > log.jsonl
  knack audit import                   # a database that came with the project, once it holds
  knack audit verify --head 3f6c…        # also finds a cut tail`,
      options: [option("--limit <n>", "how many at most (50)")],
      load: () => import("../engine/audit.ts").then(({ audit }) => audit),
      commands: [
        {
          name: "verify",
          description:
            "Check the whole log, and runs, artifacts, evidence and tasks against it. Exit code 1 at the first thing that does not hold.",
          options: [option("--head <hash>", "the head of an earlier export: finds a tail that was cut off")],
          load: () => import("../engine/audit.ts").then(({ auditVerify }) => auditVerify),
        },
        {
          name: "import",
          description: "Check a database that came with a trusted project, and take its records over.",
          options: [option("--yes", "take over rows, too, that are older than the checks of the log")],
          load: () => import("../engine/audit.ts").then(({ auditImport }) => auditImport),
        },
        {
          name: "export",
          description: "Print every record, one a line, and a last line with the head.",
          load: () => import("../engine/audit.ts").then(({ auditExport }) => auditExport),
        },
      ],
    },
  ],
};
