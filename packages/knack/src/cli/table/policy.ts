import { type CommandGroup, type OptionSpec, option, SKILL } from "./command-spec.ts";

const PROJECT: OptionSpec = option(
  "--project",
  "Write to the project's .knack/config.yaml instead of your own",
);

export const POLICY: CommandGroup = {
  title: "Control what may be used:",
  commands: [
    {
      name: "trust",
      summary: "Let agents use this project's skills, let its code run",
      description:
        "Trust this project: its configuration and links may reach outside it, and its code may run in its current form.",
      examples: `
  knack trust                 # asks first
  knack trust --yes           # without a terminal
  knack trust --revoke`,
      options: [option("--revoke", "Revoke the trust"), option("-y, --yes", "Do not ask for confirmation")],
      load: () => import("../policy/trust.ts").then(({ trust }) => trust),
    },
    {
      name: "allow",
      summary: "Let models load a skill without asking",
      description: "Let models load a skill without asking; removes a deny.",
      examples: `
  knack allow release-notes
  knack allow release-notes --project    # for everyone who trusts this project`,
      arguments: [SKILL],
      options: [PROJECT],
      load: () => import("../policy/policy.ts").then(({ allow }) => allow),
    },
    {
      name: "deny",
      summary: "Forbid everyone to load a skill",
      description: "Forbid everyone to load a skill; removes an allow.",
      examples: `
  knack deny release-notes
  knack deny .agents/skills/release-notes
  knack deny release-notes --project     # for everyone in this project`,
      arguments: [SKILL],
      options: [PROJECT],
      load: () => import("../policy/policy.ts").then(({ deny }) => deny),
    },
    {
      name: "enable",
      summary: "Enable a disabled skill",
      description: "Enable a disabled skill.",
      examples: `
  knack enable release-notes
  knack enable release-notes --project`,
      arguments: [[SKILL[0], SKILL[1], "disabled-skill"]],
      options: [PROJECT],
      load: () => import("../policy/policy.ts").then(({ enable }) => enable),
    },
    {
      name: "disable",
      summary: "Disable a skill: hide it from lists and searches",
      description: "Disable a skill: hide it from lists and searches.",
      examples: `
  knack disable release-notes                  # every skill with this name
  knack disable .agents/skills/release-notes   # only this one
  knack list --all                             # shows disabled skills`,
      arguments: [SKILL],
      options: [PROJECT],
      load: () => import("../policy/policy.ts").then(({ disable }) => disable),
    },
  ],
};
