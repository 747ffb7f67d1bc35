import { age, atLeastOne, date, priority, someNames } from "../../options.ts";
import { command, option } from "./command-spec.ts";

const PLAN = ["<plan.yaml>", "Plan file", "file"] as const;

const QUEUE_OPTIONS = [
  option("--queue", "Let a worker of the team run it (needs a PostgreSQL store)"),
  option("--priority <n>", "With --queue: -100 to 100, higher first [default: 0]", { parse: priority }),
  option("--no-wait", "With --queue: do not wait for the result"),
];

export const ENGINE = {
  title: "Run typed skills:",
  commands: [
    command("registry", "Show the typed skills and their contracts", {
      description: "Show the typed skills and their contracts. Exit code 1 if an entry is wrong.",
      examples: `
  knack registry
  knack registry --json | jq -r '.skills[].name'`,
    }),
    command("run", "Run a typed skill, or return its cached result", {
      description:
        "Run a typed skill. The same inputs, parameters and code run once; after that the result comes from the cache.",
      examples: `
  knack run file_fingerprint report.pdf
  knack run text_extract report.pdf --param max_chars=5000
  knack run text_extract report.pdf --output report.txt
  knack run text_extract report.pdf --output - | less
  knack run diff_artifact old.md new.md                 # files in the order of the skill's inputs
  knack run diff_artifact --input right=new.md --input left=old.md
  knack run publish report.md --confirm sign_off        # asks you on the terminal
  knack run text_extract report.pdf --explain           # shows the cache key and whether it would run
  knack run text_extract report.pdf --queue             # a worker of the team runs it`,
      arguments: [
        ["<skill>", "Name of a typed skill", "typed-skill"],
        ["[file...]", "Files for the skill, in the order of its inputs", "file"],
      ],
      options: [
        option("--input <[role=]path>", "File for the skill; repeat for more", {
          isList: true,
          values: "file",
        }),
        option("--param <name=value>", "Parameter, as JSON or text; repeat for more", { isList: true }),
        option(
          "--confirm <role>",
          "Confirm an input of kind CONFIRMATION, after a question; repeat for more",
          {
            isList: true,
          },
        ),
        option("--yes", "With --confirm: do not ask"),
        option("--task <id>", "Task that this run is for: task or plan/task"),
        option("--output <file>", "Write the first artifact to this file; - is standard output"),
        option("--force", "With --output: replace a file that exists"),
        option("--explain", "Show the cache key and whether the skill would run; run nothing"),
        ...QUEUE_OPTIONS,
      ],
    }),
    command("runs", "Show the history of runs; runs show <id>", {
      description: "Show the history of runs, newest first.",
      examples: `
  knack runs
  knack runs --skill text_extract --status FAILED
  knack runs --since 2026-01-31 --limit 200
  knack runs show 0198c0de-…`,
      options: [
        option("--skill <name>", "Show only runs of this skill", { values: "typed-skill" }),
        option("--status <status>", "Show only runs in this state", {
          choices: ["RUNNING", "SUCCEEDED", "FAILED"],
        }),
        option("--task <id>", "Show only runs for this task: task or plan/task"),
        option("--since <date>", "Show only runs that started on or after this date", { parse: date }),
        option("--limit <n>", "Maximum number of results", { parse: atLeastOne }),
      ],
      commands: [
        command("show", "Show one run with the end of its log", {
          arguments: [["<id>", "Id of the run"]],
        }),
      ],
    }),
    command("plan", "Apply, inspect and run a plan of tasks", {
      examples: `
  knack plan apply plan.yaml
  knack plan status plan.yaml --format mermaid
  knack plan run plan.yaml              # runs READY tasks until none is left
  knack plan run plan.yaml --queue      # workers of the team run them`,
      commands: [
        command("apply", "Store a plan or its changes. Tasks that stay keep their evidence", {
          arguments: [PLAN],
        }),
        command("status", "Show the state of every task and what it waits for", {
          arguments: [PLAN],
          options: [
            option("--format <format>", "Print a diagram in this format", { choices: ["mermaid", "dot"] }),
          ],
        }),
        command("run", "Run READY tasks until none is left. Exit code 1 if a task failed or was refused", {
          arguments: [PLAN],
          options: [
            option("--parallel <n>", "Number of tasks to run at once [default: 4]", { parse: atLeastOne }),
            ...QUEUE_OPTIONS,
          ],
        }),
      ],
    }),
    command("worker", "Run what others put into the queue", {
      description:
        "Take runs from the queue of a PostgreSQL store and run them. A worker runs the skills of its own project whose code its user approved (knack trust). On SIGTERM it takes no more runs, finishes those in progress and exits with 0; a second SIGTERM ends them, and other workers take them over.",
      examples: `
  knack worker
  knack worker --concurrency 8
  knack worker --skills text_extract,report --tags gpu
  knack worker --json | jq -r 'select(.event == "end") | .skill'`,
      options: [
        option("--concurrency <n>", "Number of runs at once [default: 4]", { parse: atLeastOne }),
        option("--skills <a,b>", "Take only runs of these typed skills", { parse: someNames }),
        option("--tags <a,b>", "Also take runs of skills that ask for these tags", { parse: someNames }),
      ],
    }),
    command("queue", "Show what waits, runs and failed; queue retry, queue cancel", {
      description: "Show the queue: what waits and why, what runs where, what failed, and the workers.",
      examples: `
  knack queue
  knack queue --json | jq '.waiting | length'
  knack queue retry 0198c0de-…          # try a run again that failed
  knack queue retry --all               # every run that nobody tries any more
  knack queue cancel 0198c0de-…`,
      options: [
        option("--limit <n>", "Maximum number of entries of each kind [default: 100]", { parse: atLeastOne }),
      ],
      commands: [
        command("retry", "Queue a run again that failed or was cancelled. It gets three new tries", {
          arguments: [["[id]", "Id of the queued run"]],
          options: [option("--all", "Retry every run that is dead")],
        }),
        command("cancel", "Cancel a run that waits or runs. The worker of a running one ends it", {
          arguments: [["<id>", "Id of the queued run"]],
        }),
      ],
    }),
    command("evidence", "Attach a file or a confirmation to a requirement", {
      description: "Attach evidence to a task requirement by hand.",
      examples: `
  knack evidence add sign sign_off --confirm
  knack evidence add quarterly-report/sign sources --file docs/source-a.pdf`,
      commands: [
        command("add", "Attach a file or a confirmation to a task requirement", {
          arguments: [
            ["<task>", "Task: task or plan/task"],
            ["<requirement>", "Name of the requirement"],
          ],
          options: [
            option("--file <path>", "Attach this file", { values: "file" }),
            option("--confirm", "Attach your confirmation"),
          ],
        }),
      ],
    }),
    command("log", "Show a conversation of an agent: asked, given, refused, run", {
      description:
        "Show a conversation of an agent from the record, a row an event: what was asked, which skills fitted, what was given, loaded, refused and run. By default the last conversation.",
      examples: `
  knack log
  knack log --list
  knack log --conversation 4f1c --json`,
      options: [
        option("--conversation <id>", "Id of the conversation, or its beginning"),
        option("--list", "List the conversations instead"),
      ],
    }),
    command("audit", "Show the event log; audit verify, audit export", {
      description: "Show the event log, newest last.",
      examples: `
  knack audit
  knack audit verify
  knack audit export > log.jsonl
  knack audit verify --head 3f6c…        # also finds removed records at the end`,
      options: [option("--limit <n>", "Maximum number of events [default: 50]", { parse: atLeastOne })],
      commands: [
        command("verify", "Check the log, and what it says of runs, artifacts, evidence and tasks", {
          description:
            "Check the log, and check runs, artifacts, evidence and tasks against it. Exit code 1 at the first error.",
          options: [option("--head <hash>", "Head of an earlier export; finds records removed from the end")],
        }),
        command("export", "Print every record, one per line, and the head on the last line", {}),
      ],
    }),
    command("store", "Move a project's history to another database; store gc", {
      description: "Work with the database that holds a project's runs, plans and log.",
      examples: `
  knack store migrate . postgres://knack@db.example.com/knack
  knack store migrate . 'postgres://knack@db.example.com/knack?schema=reports'
  knack store migrate postgres://db.example.com/knack sqlite:copy.db
  knack store migrate ../old-name        # after the folder of this project was renamed
  knack store gc --dry-run              # which stored artifacts nothing names any more
  knack store gc --older-than 30d`,
      commands: [
        command("migrate", "Copy a project's whole history to an empty database", {
          description:
            "Copy a project's whole history to an empty database, and compare every row with the original. The original stays as it is. Passwords come from PGPASSWORD or a password file.",
          arguments: [
            [
              "<from>",
              "A project's folder (also one that was renamed), sqlite:<path> or postgres://host/database",
              "file",
            ],
            ["[to]", "The same; it must be empty [default: this project's own]", "file"],
          ],
        }),
        command("gc", "Remove stored artifacts that nothing names", {
          description:
            "Remove artifacts from where the team keeps them (artifacts.url) if no record and no queued run names them. Files in workspace/artifacts stay.",
          options: [
            option("--dry-run", "Show what would be removed; remove nothing"),
            option(
              "--older-than <age>",
              "Keep what was stored more recently: 12h, 7d, at least 1h [default: 7d]",
              { parse: age },
            ),
          ],
        }),
      ],
    }),
  ],
};
