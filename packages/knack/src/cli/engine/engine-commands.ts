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
    "Run a typed skill, once per input: what was made before is served again.",
    "  knack run file_fingerprint --input report.pdf\n  knack run text_extract --input report.pdf --param max_chars=5000\n  knack run diff_artifact --input left=old.md --input right=new.md\n  knack run text_extract --input report.pdf --explain     # what the key is made of, and whether it would run",
  )
    .argument("<skill>", "name of a typed skill")
    .option("--input <[role=]path>", "a file for the skill; again for more", collect)
    .option("--param <name=value>", "a parameter, as JSON or as text; again for more", collect)
    .option("--task <id>", "the task that it is for: task or plan/task")
    .option("--explain", "say what the key is made of and whether it would run; run nothing")
    .action(async (skill: string, _options, self: Command) => {
      const options = self.optsWithGlobals<RunOptions>();
      const { startGuest } = await import("./start-guest.ts");
      const guests = startGuest(skill, options);
      await (await import("./run.ts")).run(skill, options, guests);
    });

  const runs = command(
    "runs",
    "Show the history of runs, the newest first.",
    "  knack runs\n  knack runs --skill text_extract --status FAILED\n  knack runs --since 2026-01-31 --limit 200\n  knack runs show 0198c0de-…",
  )
    .option("--skill <name>", "only runs of this skill")
    .addOption(
      new Option("--status <status>", "only runs in this state").choices(["RUNNING", "SUCCEEDED", "FAILED"]),
    )
    .option("--task <id>", "only runs for this task: task or plan/task")
    .option("--since <date>", "only runs that started then or later")
    .option("--limit <n>", "how many at most")
    .action(async (_options, self: Command) => (await import("./runs.ts")).runs(self.optsWithGlobals()));
  runs
    .command("show")
    .description("Show one run with the end of its log.")
    .argument("<id>", "id of the run")
    .action(async (id: string, _options, self: Command) =>
      (await import("./runs.ts")).showRun(id, self.optsWithGlobals()),
    );

  const plan = command(
    "plan",
    "Work through a plan: tasks, what each waits for, the skill it runs.",
    "  knack plan apply plan.yaml\n  knack plan status plan.yaml --format mermaid\n  knack plan run plan.yaml              # what is READY, until nothing is left",
  );
  const onPlan = (name: string, summary: string): Command =>
    plan.command(name).description(summary).argument("<plan.yaml>", "the plan");
  onPlan("apply", "Make a plan known, or change it; evidence of tasks that stay is kept.").action(
    async (file: string, _options, self: Command) =>
      (await import("./plan.ts")).planApply(file, self.optsWithGlobals()),
  );
  onPlan("status", "Show where every task stands and what it waits for.")
    .addOption(new Option("--format <format>", "draw it").choices(["mermaid", "dot"]))
    .action(async (file: string, _options, self: Command) =>
      (await import("./plan.ts")).planStatus(file, self.optsWithGlobals()),
    );
  onPlan("run", "Run what is READY until nothing is left. Exit code 1 if a task failed or was refused.")
    .option("--parallel <n>", "how many tasks at once (4)")
    .action(async (file: string, _options, self: Command) =>
      (await import("./plan.ts")).planRun(file, self.optsWithGlobals()),
    );

  const evidence = command(
    "evidence",
    "Bind evidence to a requirement of a task by hand.",
    "  knack evidence add sign sign_off --confirm\n  knack evidence add quarterly-report/sign sources --file docs/source-a.pdf",
  );
  evidence
    .command("add")
    .description("Give a file, or your own word, for a requirement.")
    .argument("<task>", "task or plan/task")
    .argument("<requirement>", "name of the requirement")
    .option("--file <path>", "a file")
    .option("--confirm", "your confirmation")
    .action(async (task: string, requirement: string, _options, self: Command) =>
      (await import("./evidence.ts")).addEvidence(task, requirement, self.optsWithGlobals()),
    );

  const audit = command(
    "audit",
    "Show the log of what was done, the newest last.",
    "  knack audit\n  knack audit verify\n  knack audit export > log.jsonl\n  knack audit import                   # a database that came with the project, once it holds\n  knack audit verify --head 3f6c…        # also finds a cut tail",
  )
    .option("--limit <n>", "how many at most (50)")
    .action(async (_options, self: Command) => (await import("./audit.ts")).audit(self.optsWithGlobals()));
  audit
    .command("verify")
    .description(
      "Check the whole log, and runs, artifacts, evidence and tasks against it. Exit code 1 at the first thing that does not hold.",
    )
    .option("--head <hash>", "the head of an earlier export: finds a tail that was cut off")
    .action(async (_options, self: Command) =>
      (await import("./audit.ts")).auditVerify(self.optsWithGlobals()),
    );
  audit
    .command("import")
    .description("Check a database that came with a trusted project, and take its records over.")
    .option("--yes", "take over rows, too, that are older than the checks of the log")
    .action(async (_options, self: Command) =>
      (await import("./audit.ts")).auditImport(self.optsWithGlobals()),
    );
  audit
    .command("export")
    .description("Print every record, one a line, and a last line with the head.")
    .action(async (_options, self: Command) =>
      (await import("./audit.ts")).auditExport(self.optsWithGlobals()),
    );
}
