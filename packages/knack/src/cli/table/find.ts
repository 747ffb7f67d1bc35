import { type CommandGroup, option, SCOPES, SKILL } from "./command-spec.ts";

export const FIND: CommandGroup = {
  title: "Find and read skills:",
  commands: [
    {
      name: "list",
      summary: "List the skills that can be used here",
      description: "List the skills that can be used here.",
      examples: `
  knack list
  knack list --scope user
  knack list --all            # also disabled, ineligible and shadowed skills
  knack list --json | jq -r '.skills[].name'`,
      options: [
        option("--scope <scope>", "Show only skills of this scope", { choices: SCOPES }),
        option("--all", "Also list disabled, ineligible and shadowed skills, with the reason"),
      ],
      load: () => import("../skills/list.ts").then(({ list }) => list),
    },
    {
      name: "search",
      summary: "Search skills, best match first",
      description: "Search skills, best match first, with the reason.",
      examples: `
  knack search release notes
  knack search "the import test fails since yesterday"
  knack search レビュー --limit 3
  knack search 発行メモを書いて --also "write the release notes"
  knack search review --json | jq -r '.results[0].skill.path'`,
      arguments: [["<words...>", "Name, path, words or a whole request"]],
      options: [
        option("--limit <n>", "Maximum number of results"),
        option("--also <text>", "The same request in other words or another language; up to four times", {
          isList: true,
        }),
        option("--all", "Has no effect: weaker matches are always shown"),
        option("--scope <scope>", "Show only skills of this scope", { choices: SCOPES }),
      ],
      load: () => import("../skills/search.ts").then(({ search }) => search),
    },
    {
      name: "tui",
      summary: "Pick a skill in the terminal: search as you type",
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
      load: () => import("../../tui/tui.ts").then(({ tui }) => tui),
    },
    {
      name: "show",
      summary: "Show one skill: metadata, files, edges, problems",
      description: "Show one skill: metadata, files, edges and problems. Loads nothing.",
      examples: `
  knack show release-notes
  knack show .agents/skills/release-notes
  knack show release-notes --json`,
      arguments: [SKILL],
      load: () => import("../skills/show.ts").then(({ show }) => show),
    },
    {
      name: "load",
      summary: "Print the text of a skill, as an agent gets it",
      description: "Load a skill: print the text that an agent gets.",
      examples: `
  knack load release-notes
  knack load .agents/skills/release-notes
  knack load code-review --args "src/server.ts"
  knack load release-notes --json    # the whole answer of the tool`,
      arguments: [SKILL],
      options: [option("--args <text>", "Arguments, which replace $ARGUMENTS")],
      load: () => import("../use/load.ts").then(({ load }) => load),
    },
    {
      name: "context",
      summary: "Print the skill list for a system prompt",
      description: "Print the list of skills that goes into a model's system prompt, within its budget.",
      examples: `
  knack context
  knack context --json | jq .bytes`,
      load: () => import("../use/context.ts").then(({ context }) => context),
    },
  ],
};
