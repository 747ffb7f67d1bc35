import { CLIENT_IDS } from "@knack/core/config";
import { atLeastOne, share } from "../../options.ts";
import { command, option, SCOPES, SKILL } from "./command-spec.ts";

export const FIND = {
  title: "Find and read skills:",
  commands: [
    command("list", "List the skills that can be used here", {
      examples: `
  knack list
  knack list --scope user
  knack list --all            # also disabled, ineligible and shadowed skills
  knack list --json | jq -r '.skills[].name'`,
      options: [
        option("--scope <scope>", "Show only skills of this scope", { choices: SCOPES }),
        option(
          "--all",
          "Also list disabled, ineligible and shadowed skills, and say which are denied, with the reason",
        ),
      ],
    }),
    command("search", "Search skills, best match first", {
      description: "Search skills, best match first, with the reason.",
      examples: `
  knack search release notes
  knack search "the import test fails since yesterday"
  knack search レビュー --limit 3
  knack search 発行メモを書いて --also "write the release notes"
  knack search review --json | jq -r '.results[0].skill.path'`,
      arguments: [["<words...>", "Name, path, words or a whole request"]],
      options: [
        option("--limit <n>", "Maximum number of results", { parse: atLeastOne }),
        option("--also <text>", "The same request in other words or another language; up to four times", {
          isList: true,
        }),
        option("--scope <scope>", "Show only skills of this scope", { choices: SCOPES }),
      ],
    }),
    command("tui", "Pick a skill in the terminal: search as you type", {
      description:
        "Pick a skill in the terminal: search as you type, preview, enable and disable. Enter prints the chosen skill.",
      examples: `
  knack tui
  knack tui release notes                 # start with these words
  knack load "$(knack tui --print)"       # load the chosen skill
  knack tui --json | jq -r .path          # Esc and Ctrl-C print nothing and exit with 130`,
      arguments: [["[words...]", "Words to search for at the start"]],
      options: [
        option("--print", "Print only the argument for knack load, for scripts"),
        option("--scope <scope>", "Start with the skills of this scope", { choices: SCOPES }),
      ],
    }),
    command("show", "Show one skill: metadata, files, edges, problems", {
      description: "Show one skill: metadata, files, edges and problems. Loads nothing.",
      examples: `
  knack show release-notes
  knack show .agents/skills/release-notes
  knack show release-notes --json`,
      arguments: [SKILL],
    }),
    command("load", "Print the text of a skill, as an agent gets it", {
      description: "Load a skill: print the text that an agent gets.",
      examples: `
  knack load release-notes
  knack load .agents/skills/release-notes
  knack load code-review --args "src/server.ts"
  knack load release-notes --json    # the whole answer of the tool`,
      arguments: [SKILL],
      options: [option("--args <text>", "Arguments, which replace $ARGUMENTS")],
    }),
    command("context", "Print the skill list for a system prompt", {
      description: "Print the list of skills that goes into a model's system prompt, within its budget.",
      examples: `
  knack context
  knack context --json | jq .bytes`,
    }),
  ],
};

export const WRITE = {
  title: "Write skills:",
  commands: [
    command("new", "Create a valid skill", {
      description: "Create a skill: write a valid .agents/skills/<name>/SKILL.md at the project root.",
      examples: `
  knack new release-notes
  knack new release-notes --description "Draft release notes from commits. Use before a release."`,
      arguments: [["<name>", "Lowercase letters and digits, joined by single hyphens"]],
      options: [option("--description <text>", "What the skill does and when to use it")],
    }),
    command("validate", "Check skills; exit code 1 if one is invalid", {
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
    }),
    command("lint", "Find security and quality problems in skills", {
      description: "Find security and quality problems in skills. Exit code 1 with errors.",
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
    }),
    command("eval", "Run trigger tests: do prompts find the right skill?", {
      description:
        "Run trigger tests: check that prompts find their skill and no other, and which words descriptions lack.",
      examples: `
  knack eval                              # every skill that has trigger tests
  knack eval .agents/skills/release-notes
  knack eval --min-hit1 0.8 --min-recall 0.95    # exit code 1 below that`,
      arguments: [["[path...]", "Skills or folders of skills", "file"]],
      options: [
        option(
          "--min-hit1 <share>",
          "Minimum share of prompts that find their skill first, 0..1 or percent",
          { parse: share },
        ),
        option("--min-recall <share>", "Minimum share of prompts that find their skill at all", {
          parse: share,
        }),
        option("--k <n>", "Number of results that count as found", { parse: atLeastOne }),
      ],
    }),
  ],
};

const SKILLS = ["[skill...]", "Names, ids, folders or SKILL.md files of skills", "skill"] as const;
const USER = option("--user", "Your own skills in ~/.agents/skills, for every project");
const YES = option("--yes", "Do not ask");
const FINDINGS = option("--allow-findings", "With --yes: go on although knack lint finds errors");
const FORCE = option("--force", "Replace files that you changed; a copy is kept");
const DRY_RUN = option("--dry-run", "Show what would happen and change nothing");

export const GET = {
  title: "Get skills:",
  commands: [
    command("add", "Get skills from git, npm, an archive or a folder", {
      description:
        "Get skills: fetch a source as data, show what comes (files, executables, findings of knack lint), ask, install into .agents/skills and pin in skills.lock. A source is owner/repo, owner/repo/path or owner/repo@skill of GitHub, a git address, an archive (.tar.gz, .tgz, .zip, .skill) or its address, npm:name, or a path. A path begins with ./ ../ / or ~/; nothing else is looked up here. #ref at the end of a git source names a branch, tag or commit.",
      examples: `
  knack add owner/repo                          # choose from the skills of a repository
  knack add owner/repo --list                   # only show them
  knack add owner/repo/skills/pdf#v1.2          # one folder, at a tag
  knack add git@example.com:team/skills.git --skill pdf,docx
  knack add https://github.com/owner/repo/tree/main/skills/pdf
  knack add npm:@team/skills --yes              # all of them, without a question
  knack add ./my-skill --link --user            # a link to a folder of this machine
  knack add owner/repo --for claude,codex       # also where these clients look`,
      arguments: [["<source>", "Where the skills are", "file"]],
      options: [
        option("--skill <names>", "Only these skills, by name or path, separated by commas", {
          isList: true,
        }),
        option("--list", "List the skills of the source, or those of --skill, and change nothing"),
        USER,
        option("--for <clients>", `Also place them where these clients look: ${CLIENT_IDS.join(", ")}`, {
          isList: true,
          values: CLIENT_IDS,
        }),
        option("--copy", "Copy the files (default)"),
        option("--link", "Link to the folder instead, which is then not locked"),
        YES,
        FINDINGS,
        FORCE,
        DRY_RUN,
      ],
    }),
    command("update", "Update skills from where they came", {
      description:
        "Update skills: fetch what their branch or tag gives now, show the difference of the texts and of the findings of knack lint, ask, and replace them. Skills that were added with a commit stay.",
      examples: `
  knack update                  # every skill that came from a source
  knack update pdf --dry-run    # only show what changed
  knack update --yes            # without a question
  knack update pdf --force      # also where you changed files; a copy is kept`,
      arguments: [SKILLS],
      options: [USER, YES, FINDINGS, FORCE, DRY_RUN],
    }),
    command("outdated", "Show which skills have a newer version", {
      description:
        "Compare each skill with the newest version of its source. Changes nothing. Exit code 1 if a source cannot be reached.",
      examples: `
  knack outdated
  knack outdated --json`,
      options: [
        USER,
        option("--yes", "Contact the sources of a project that is not trusted, without a question"),
      ],
    }),
    command("remove", "Remove skills", {
      description:
        "Remove skills from .agents/skills, with their entries in skills.lock and the links that clients have to them. Skills that you changed, or that are not locked, are removed only with --force, and a copy is kept.",
      examples: `
  knack remove pdf
  knack remove pdf docx --user
  knack remove pdf --for claude     # only from the folder of this client`,
      arguments: [["<skill...>", SKILLS[1], "skill"]],
      options: [
        USER,
        option("--for <clients>", "Only from the folders of these clients", {
          isList: true,
          values: CLIENT_IDS,
        }),
        option("--force", "Remove files that you changed; a copy is kept"),
        option("--yes", "For scripts: remove never asks"),
      ],
    }),
  ],
};

const USER_LOCK = option("--user", "Only your own skills and ~/.knack/skills.lock");

export const PIN = {
  title: "Pin skills:",
  commands: [
    command("lock", "Write skills.lock: the digests of skills", {
      description:
        "Lock skills as they are now: write the digest of each file to skills.lock. Without a name, lock all skills of the project and remove entries whose folder is gone.",
      examples: `
  knack lock                  # all skills of this project
  knack lock release-notes    # after you have looked at: knack diff release-notes
  knack lock --user           # your own skills, in ~/.knack/skills.lock`,
      arguments: [SKILLS],
      options: [USER_LOCK],
    }),
    command("verify", "Check skills against skills.lock", {
      description:
        "Check that locked skills are as they were locked. Exit code 1 if a file is changed, missing, extra or a link.",
      examples: `
  knack verify                # in CI, or before a commit
  knack verify --strict       # fails also for skills that are not locked
  knack verify release-notes
  knack verify --json`,
      arguments: [SKILLS],
      options: [option("--strict", "Fail also if a skill is not locked"), USER_LOCK],
    }),
    command("diff", "Show how a skill differs from its lock", {
      description: "Show what changed in a skill since it was locked: its files, and the lines of texts.",
      examples: `
  knack diff release-notes
  knack diff release-notes --json`,
      arguments: [SKILL],
    }),
  ],
};
