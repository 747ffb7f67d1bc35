import { type CommandGroup, type OptionSpec, option, SKILL } from "./command-spec.ts";

const PROJECT: OptionSpec = option(
  "--project",
  "write to the project's .knack/config.yaml instead of your own",
);

export const POLICY: CommandGroup = {
  title: "Say what may be used:",
  commands: [
    {
      name: "trust",
      summary: "let agents have this project's skills, its code run",
      description:
        "Trust this project: its configuration and links may reach out of it, its code may run, as it and its registry entry are now.",
      examples: `
  knack trust                 # asks first
  knack trust --yes           # where nobody can be asked
  knack trust --revoke`,
      options: [option("--revoke", "take the trust back"), option("-y, --yes", "do not ask")],
      load: () => import("../policy/trust.ts").then(({ trust }) => trust),
    },
    {
      name: "allow",
      summary: "let models load a skill without a question",
      description: "Let models load a skill without a question; takes back a deny.",
      examples: `
  knack allow release-notes
  knack allow release-notes --project    # for everybody who trusts this project`,
      arguments: [SKILL],
      options: [PROJECT],
      load: () => import("../policy/policy.ts").then(({ allow }) => allow),
    },
    {
      name: "deny",
      summary: "let nobody load a skill",
      description: "Let nobody load a skill; takes back an allow.",
      examples: `
  knack deny release-notes
  knack deny .agents/skills/release-notes
  knack deny release-notes --project     # for everybody in this project`,
      arguments: [SKILL],
      options: [PROJECT],
      load: () => import("../policy/policy.ts").then(({ deny }) => deny),
    },
    {
      name: "enable",
      summary: "switch a skill on again",
      description: "Switch a skill on again.",
      examples: `
  knack enable release-notes
  knack enable release-notes --project`,
      arguments: [SKILL],
      options: [PROJECT],
      load: () => import("../policy/policy.ts").then(({ enable }) => enable),
    },
    {
      name: "disable",
      summary: "switch a skill off: in no list and no search",
      description: "Switch a skill off: it is in no list and no search.",
      examples: `
  knack disable release-notes                  # every skill of this name
  knack disable .agents/skills/release-notes   # this one
  knack list --all                             # shows what is switched off`,
      arguments: [SKILL],
      options: [PROJECT],
      load: () => import("../policy/policy.ts").then(({ disable }) => disable),
    },
  ],
};
