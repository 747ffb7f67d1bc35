import { CLIENT_IDS } from "@knack/core/internal";
import { type CommandGroup, type OptionSpec, option } from "./command-spec.ts";

const USER: OptionSpec = option("--user", "Your own skills in ~/.agents/skills, for every project");
const YES: OptionSpec = option("--yes", "Do not ask");
const FINDINGS: OptionSpec = option("--allow-findings", "With --yes: go on although knack lint finds errors");
const FORCE: OptionSpec = option("--force", "Replace files that you changed; a copy is kept");
const DRY_RUN: OptionSpec = option("--dry-run", "Show what would happen and change nothing");

export const GET: CommandGroup = {
  title: "Get skills:",
  commands: [
    {
      name: "add",
      summary: "Get skills from git, npm, an archive or a folder",
      description:
        "Get skills: fetch a source as data, show what comes (files, executables, findings of knack lint), ask, install into .agents/skills and pin in skills.lock. A source is owner/repo or owner/repo/path of GitHub, a git address, an archive (.tar.gz, .tgz, .zip) or its address, npm:name, or a path. A path begins with ./ ../ / or ~/; everything else is not looked up here. #ref at the end of a git source names a branch, tag or commit.",
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
        option("--list", "List the skills of the source and change nothing"),
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
      load: () => import("../../install/add.ts").then(({ add }) => add),
    },
    {
      name: "update",
      summary: "Update skills from where they came",
      description:
        "Update skills: fetch what their branch or tag gives now, show the difference of the texts and of the findings of knack lint, ask, and replace them. Skills that were added with a commit stay.",
      examples: `
  knack update                  # every skill that came from a source
  knack update pdf --dry-run    # only show what changed
  knack update --yes            # without a question
  knack update pdf --force      # also where you changed files; a copy is kept`,
      arguments: [["[skill...]", "Names of skills", "skill"]],
      options: [USER, YES, FINDINGS, FORCE, DRY_RUN],
      load: () => import("../../install/update.ts").then(({ update }) => update),
    },
    {
      name: "outdated",
      summary: "Show which skills have a newer version",
      description:
        "Ask the source of each skill for its newest version. Changes nothing. Exit code 1 if a source cannot be reached.",
      examples: `
  knack outdated
  knack outdated --json`,
      options: [
        USER,
        option("--yes", "Contact the sources of a project that is not trusted, without a question"),
      ],
      load: () => import("../../install/outdated.ts").then(({ outdated }) => outdated),
    },
    {
      name: "remove",
      summary: "Remove skills",
      description:
        "Remove skills from .agents/skills, with their entries in skills.lock and the links that clients have to them. Skills that you changed, or that are not locked, are removed only with --force, and a copy is kept.",
      examples: `
  knack remove pdf
  knack remove pdf docx --user
  knack remove pdf --for claude     # only from the folder of this client`,
      arguments: [["<skill...>", "Names of skills", "skill"]],
      options: [
        USER,
        option("--for <clients>", "Only from the folders of these clients", {
          isList: true,
          values: CLIENT_IDS,
        }),
        option("--force", "Remove files that you changed; a copy is kept"),
      ],
      load: () => import("../../install/remove.ts").then(({ remove }) => remove),
    },
  ],
};
