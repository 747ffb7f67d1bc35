import { type Command, Option } from "commander";
import type { RunOptions } from "./run.ts";

/** Makes a command with its summary and examples. */
type AddCommand = (name: string, summary: string, examples: string) => Command;

const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

/** The commands about typed skills: what they are, runs, plans, evidence, the log. */
export function addEngineCommands(command: AddCommand): void {
  command(
    "registry",
    "Show the typed skills and their contracts. Exit code 1 if an entry is wrong.",
    "  knack registry\n  knack registry --json | jq -r '.skills[].name'",
  ).action(async (_options, self: Command) =>
    (await import("./registry.ts")).registry(self.optsWithGlobals()),
  );

  command(
    "run",
    "Run a typed skill. The same inputs, parameters and code run once; after that the result comes from the cache.",
    "  knack run file_fingerprint --input report.pdf\n  knack run text_extract --input report.pdf --param max_chars=5000\n  knack run diff_artifact --input left=old.md --input right=new.md\n  knack run text_extract --input report.pdf --explain     # shows the cache key and whether it would run",
  )
    .argument("<skill>", "Name of a typed skill")
    .option("--input <[role=]path>", "File for the skill; repeat for more", collect)
    .option("--param <name=value>", "Parameter, as JSON or text; repeat for more", collect)
    .option("--task <id>", "Task that this run is for: task or plan/task")
    .option("--explain", "Show the cache key and whether the skill would run; run nothing")
    .action(async (skill: string, _options, self: Command) => {
      const options = self.optsWithGlobals<RunOptions>();
      const { startGuest } = await import("./start-guest.ts");
      const guests = startGuest(skill, options);
      await (await import("./run.ts")).run(skill, options, guests);
    });

  const runs = command(
    "runs",
    "Show the history of runs, newest first.",
    "  knack runs\n  knack runs --skill text_extract --status FAILED\n  knack runs --since 2026-01-31 --limit 200\n  knack runs show 0198c0de-…",
  )
    .option("--skill <name>", "Show only runs of this skill")
    .addOption(
      new Option("--status <status>", "Show only runs in this state").choices([
        "RUNNING",
        "SUCCEEDED",
        "FAILED",
      ]),
    )
    .option("--task <id>", "Show only runs for this task: task or plan/task")
    .option("--since <date>", "Show only runs that started on or after this date")
    .option("--limit <n>", "Maximum number of runs")
    .action(async (_options, self: Command) => (await import("./runs.ts")).runs(self.optsWithGlobals()));
  runs
    .command("show")
    .description("Show one run with the end of its log.")
    .argument("<id>", "Id of the run")
    .action(async (id: string, _options, self: Command) =>
      (await import("./runs.ts")).showRun(id, self.optsWithGlobals()),
    );

  const plan = command(
    "plan",
    "Apply, inspect and run a plan of tasks.",
    "  knack plan apply plan.yaml\n  knack plan status plan.yaml --format mermaid\n  knack plan run plan.yaml              # runs READY tasks until none is left",
  );
  const onPlan = (name: string, summary: string): Command =>
    plan.command(name).description(summary).argument("<plan.yaml>", "Plan file");
  onPlan("apply", "Store a plan or its changes. Tasks that stay keep their evidence.").action(
    async (file: string, _options, self: Command) =>
      (await import("./plan.ts")).planApply(file, self.optsWithGlobals()),
  );
  onPlan("status", "Show the state of every task and what it waits for.")
    .addOption(new Option("--format <format>", "Print a diagram in this format").choices(["mermaid", "dot"]))
    .action(async (file: string, _options, self: Command) =>
      (await import("./plan.ts")).planStatus(file, self.optsWithGlobals()),
    );
  onPlan("run", "Run READY tasks until none is left. Exit code 1 if a task failed or was refused.")
    .option("--parallel <n>", "Number of tasks to run at once [default: 4]")
    .action(async (file: string, _options, self: Command) =>
      (await import("./plan.ts")).planRun(file, self.optsWithGlobals()),
    );

  const evidence = command(
    "evidence",
    "Attach evidence to a task requirement by hand.",
    "  knack evidence add sign sign_off --confirm\n  knack evidence add quarterly-report/sign sources --file docs/source-a.pdf",
  );
  evidence
    .command("add")
    .description("Attach a file or a confirmation to a task requirement.")
    .argument("<task>", "Task: task or plan/task")
    .argument("<requirement>", "Name of the requirement")
    .option("--file <path>", "Attach this file")
    .option("--confirm", "Attach your confirmation")
    .action(async (task: string, requirement: string, _options, self: Command) =>
      (await import("./evidence.ts")).addEvidence(task, requirement, self.optsWithGlobals()),
    );

  const audit = command(
    "audit",
    "Show the event log, newest last.",
    "  knack audit\n  knack audit verify\n  knack audit export > log.jsonl\n  knack audit import                   # check a database that came with the project, then use it\n  knack audit verify --head 3f6c…        # also finds removed records at the end",
  )
    .option("--limit <n>", "Maximum number of events [default: 50]")
    .action(async (_options, self: Command) => (await import("./audit.ts")).audit(self.optsWithGlobals()));
  audit
    .command("verify")
    .description(
      "Check the log, and check runs, artifacts, evidence and tasks against it. Exit code 1 at the first error.",
    )
    .option("--head <hash>", "Head of an earlier export; finds records removed from the end")
    .action(async (_options, self: Command) =>
      (await import("./audit.ts")).auditVerify(self.optsWithGlobals()),
    );
  audit
    .command("import")
    .description("Check a database that came with a trusted project, then import its records.")
    .option("--yes", "Also import rows that are older than the checks of the log")
    .action(async (_options, self: Command) =>
      (await import("./audit.ts")).auditImport(self.optsWithGlobals()),
    );
  audit
    .command("export")
    .description("Print every record, one per line, and the head on the last line.")
    .action(async (_options, self: Command) =>
      (await import("./audit.ts")).auditExport(self.optsWithGlobals()),
    );
}
