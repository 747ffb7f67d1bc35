import { type CommandGroup, option, SCOPES, SKILL } from "./command-spec.ts";

export const FIND: CommandGroup = {
  title: "Find and read skills:",
  commands: [
    {
      name: "list",
      summary: "every skill that can be used here",
      description: "Show the catalog: every skill that can be used here.",
      examples: `
  knack list
  knack list --scope user
  knack list --all            # also what is disabled, ineligible or shadowed
  knack list --json | jq -r '.skills[].name'`,
      options: [
        option("--scope <scope>", "only skills of this scope", { choices: SCOPES }),
        option("--all", "also disabled, ineligible and shadowed skills, with the reason"),
      ],
      load: () => import("../skills/list.ts").then(({ list }) => list),
    },
    {
      name: "search",
      summary: "the skills that fit some words, best first",
      description: "Find skills for the words at hand, best first, with the reason.",
      examples: `
  knack search release notes
  knack search "the import test fails since yesterday"
  knack search レビュー --limit 3
  knack search review --json | jq -r '.results[0].skill.path'`,
      arguments: [["<words...>", "a name, a path, some words or a whole request"]],
      options: [
        option("--limit <n>", "how many at most"),
        option("--all", "also what does not fit and merely comes near"),
        option("--scope <scope>", "only skills of this scope", { choices: SCOPES }),
      ],
      load: () => import("../skills/search.ts").then(({ search }) => search),
    },
    {
      name: "tui",
      summary: "pick one at the terminal: search as you type, preview",
      description:
        "Pick a skill at the terminal: search as you type, preview, switch on and off. Enter prints the chosen one.",
      examples: `
  knack tui
  knack tui release notes                 # begin with these words
  knack load "$(knack tui --print)"       # load what was chosen
  knack tui --json | jq -r .path          # Esc and Ctrl-C print nothing and exit with 130`,
      arguments: [["[words...]", "what to search for at the start"]],
      options: [
        option("--print", "print only what knack load takes, for use in scripts"),
        option("--scope <scope>", "begin with the skills of this scope", { choices: SCOPES }),
      ],
      load: () => import("../../tui/tui.ts").then(({ tui }) => tui),
    },
    {
      name: "show",
      summary: "one skill: metadata, files, edges, what is wrong",
      description: "Show one skill: metadata, files, edges and what is wrong with it. Loads nothing.",
      examples: `
  knack show release-notes
  knack show .agents/skills/release-notes
  knack show release-notes --json`,
      arguments: [SKILL],
      load: () => import("../skills/show.ts").then(({ show }) => show),
    },
    {
      name: "load",
      summary: "the text of a skill, as an agent would get it",
      description: "Load a skill: print the text that an agent would get.",
      examples: `
  knack load release-notes
  knack load .agents/skills/release-notes
  knack load code-review --args "src/server.ts"
  knack load release-notes --json    # the tool's whole answer`,
      arguments: [SKILL],
      options: [option("--args <text>", "arguments, put in place of $ARGUMENTS")],
      load: () => import("../use/load.ts").then(({ load }) => load),
    },
    {
      name: "context",
      summary: "the list of skills for a model's system prompt",
      description: "Print the list of skills that goes into a model's system prompt, within its budget.",
      examples: `
  knack context
  knack context --json | jq .bytes`,
      load: () => import("../use/context.ts").then(({ context }) => context),
    },
  ],
};
