import { type CommandGroup, option } from "./command-spec.ts";

export const WRITE: CommandGroup = {
  title: "Write skills:",
  commands: [
    {
      name: "new",
      summary: "start a valid skill",
      description: "Start a skill: writes a valid .agents/skills/<name>/SKILL.md at the project root.",
      examples: `
  knack new release-notes
  knack new release-notes --description "Draft release notes from commits. Use before a release."`,
      arguments: [["<name>", "lowercase letters and digits, joined by single hyphens"]],
      options: [option("--description <text>", "what the skill does and when to use it")],
      load: () => import("../skills/new.ts").then(({ newSkill }) => newSkill),
    },
    {
      name: "validate",
      summary: "check skills; exit code 1 if one is invalid",
      description: "Check skills. Exit code 1 if one is invalid.",
      examples: `
  knack validate                                # everything that is found from here
  knack validate .agents/skills/release-notes   # one skill
  knack validate ~/collection                   # a folder of skills`,
      arguments: [["[path...]", "a skill, its SKILL.md, or a folder of skills"]],
      load: () => import("../skills/validate.ts").then(({ validate }) => validate),
    },
    {
      name: "eval",
      summary: "do the prompts that authors wrote find their skills?",
      description: "Run trigger tests: do the prompts that authors wrote find their skills?",
      examples: `
  knack eval                              # every skill that has trigger tests
  knack eval .agents/skills/release-notes
  knack eval --min-hit1 0.8 --min-recall 0.95    # exit code 1 below that`,
      arguments: [["[path...]", "skills or folders of skills"]],
      options: [
        option(
          "--min-hit1 <share>",
          "smallest share of prompts that find their skill first, 0..1 or percent",
        ),
        option("--min-recall <share>", "smallest share of prompts that find it at all"),
        option("--k <n>", "how many results count as found"),
      ],
      load: () => import("../skills/eval.ts").then(({ evaluate }) => evaluate),
    },
  ],
};
