import { type CommandGroup, type OptionSpec, option, SKILL } from "./command-spec.ts";

const USER: OptionSpec = option("--user", "Only your own skills and ~/.knack/skills.lock");
const SKILLS = ["[skill...]", "Names, ids, folders or SKILL.md files of skills", "skill"] as const;

export const PIN: CommandGroup = {
  title: "Pin skills:",
  commands: [
    {
      name: "lock",
      summary: "Write skills.lock: the digests of skills",
      description:
        "Lock skills as they are now: write the digest of each file to skills.lock. Without a name, lock all skills of the project and remove entries whose folder is gone.",
      examples: `
  knack lock                  # all skills of this project
  knack lock release-notes    # after you have looked at: knack diff release-notes
  knack lock --user           # your own skills, in ~/.knack/skills.lock`,
      arguments: [SKILLS],
      options: [USER],
      load: () => import("../lock/lock.ts").then(({ lock }) => lock),
    },
    {
      name: "verify",
      summary: "Check skills against skills.lock",
      description:
        "Check that locked skills are as they were locked. Exit code 1 if a file is changed, missing, extra or a link.",
      examples: `
  knack verify                # in CI, or before a commit
  knack verify --strict       # fails also for skills that are not locked
  knack verify release-notes
  knack verify --json`,
      arguments: [SKILLS],
      options: [option("--strict", "Fail also if a skill is not locked"), USER],
      load: () => import("../lock/verify.ts").then(({ verify }) => verify),
    },
    {
      name: "diff",
      summary: "Show how a skill differs from its lock",
      description: "Show what changed in a skill since it was locked: its files, and the lines of texts.",
      examples: `
  knack diff release-notes
  knack diff release-notes --json`,
      arguments: [SKILL],
      load: () => import("../lock/diff.ts").then(({ diff }) => diff),
    },
  ],
};
