import { type CommandGroup, option, SKILL } from "./command-spec.ts";

export const WRITE: CommandGroup = {
  title: "Write skills:",
  commands: [
    {
      name: "new",
      summary: "Create a valid skill",
      description: "Create a skill: write a valid .agents/skills/<name>/SKILL.md at the project root.",
      examples: `
  knack new release-notes
  knack new release-notes --description "Draft release notes from commits. Use before a release."`,
      arguments: [["<name>", "Lowercase letters and digits, joined by single hyphens"]],
      options: [option("--description <text>", "What the skill does and when to use it")],
      load: () => import("../skills/new.ts").then(({ newSkill }) => newSkill),
    },
    {
      name: "edit",
      summary: "Open a skill in your editor, then check it",
      description:
        "Open the SKILL.md of a skill in $VISUAL or $EDITOR, then check it as knack validate does. Needs a terminal.",
      examples: `
  knack edit release-notes
  knack edit .agents/skills/release-notes      # also a skill that is invalid
  EDITOR="code --wait" knack edit release-notes`,
      arguments: [SKILL],
      load: () => import("../skills/edit.ts").then(({ edit }) => edit),
    },
    {
      name: "validate",
      summary: "Check skills; exit code 1 if one is invalid",
      description:
        "Check skills. Exit code 1 if one is invalid. With --fix, show a diff of the safe fixes, ask, and write them.",
      examples: `
  knack validate                                # every skill found from here
  knack validate .agents/skills/release-notes   # one skill
  knack validate ~/collection                   # a folder of skills
  knack validate --fix --dry-run                # show what can be fixed
  knack validate --fix                          # show it, ask, and fix it
  knack validate --fix --yes .agents/skills     # in a script`,
      arguments: [["[path...]", "Skill, its SKILL.md, or a folder of skills", "file"]],
      options: [
        option("--fix", "Fix what has one safe fix: names, quotes, tabs, fences, byte order marks"),
        option("--dry-run", "With --fix: show the changes and write nothing; exit code 1 if there are any"),
        option("--yes", "With --fix: do not ask"),
      ],
      load: () => import("../validate/validate.ts").then(({ validate }) => validate),
    },
    {
      name: "lint",
      summary: "Find security and quality problems in skills",
      description:
        "Find security and quality problems in skills. Exit code 1 with errors. The rules are in docs/lint.md.",
      examples: `
  knack lint                                    # every skill found from here
  knack lint ~/Downloads/some-skill             # before you install it
  knack lint --sarif > lint.sarif               # for a code host
  knack lint --baseline lint-baseline.json --update-baseline   # accept what is there`,
      arguments: [["[path...]", "Skill, its SKILL.md, or a folder of skills"]],
      options: [
        option("--all", "Also show notes"),
        option("--fix", "Fix what has one safe remedy"),
        option("--sarif", "Print SARIF 2.1.0"),
        option("--baseline <file>", "Leave out the findings that this file lists"),
        option("--update-baseline", "Write all findings of this run to the baseline"),
      ],
      load: () => import("../lint/lint.ts").then(({ lint }) => lint),
    },
    {
      name: "eval",
      summary: "Run trigger tests: do prompts find the right skill?",
      description:
        "Run trigger tests: check that prompts find their skill and no other, and which words descriptions lack.",
      examples: `
  knack eval                              # every skill that has trigger tests
  knack eval .agents/skills/release-notes
  knack eval --min-hit1 0.8 --min-recall 0.95    # exit code 1 below that
  knack eval --html report.html           # what each prompt found, and why`,
      arguments: [["[path...]", "Skills or folders of skills", "file"]],
      options: [
        option("--min-hit1 <share>", "Minimum share of prompts that find their skill first, 0..1 or percent"),
        option("--min-recall <share>", "Minimum share of prompts that find their skill at all"),
        option("--k <n>", "Number of results that count as found"),
        option("--html <file>", "Write a report as an HTML page, or print it with -"),
      ],
      load: () => import("../skills/eval.ts").then(({ evaluate }) => evaluate),
    },
  ],
};
