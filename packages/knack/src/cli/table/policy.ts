import { command, option, SHELLS, SKILL } from "./command-spec.ts";

const PROJECT = option("--project", "Write to the project's .knack/config.yaml instead of your own");

export const POLICY = {
  title: "Control what may be used:",
  commands: [
    command("trust", "Let agents use this project's skills, let its code run", {
      description:
        "Trust this project: its configuration and links may reach outside it, and its code may run in its current form.",
      examples: `
  knack trust                 # asks first
  knack trust --yes           # without a terminal
  knack trust --revoke`,
      options: [option("--revoke", "Revoke the trust"), option("-y, --yes", "Do not ask for confirmation")],
    }),
    command("allow", "Let models load a skill without asking", {
      description: "Let models load a skill without asking; removes a deny.",
      examples: `
  knack allow release-notes
  knack allow release-notes --project    # for everyone who trusts this project`,
      arguments: [SKILL],
      options: [PROJECT],
    }),
    command("deny", "Forbid everyone to load a skill", {
      description: "Forbid everyone to load a skill; removes an allow.",
      examples: `
  knack deny release-notes
  knack deny .agents/skills/release-notes
  knack deny release-notes --project     # for everyone in this project`,
      arguments: [SKILL],
      options: [PROJECT],
    }),
    command("enable", "Enable a disabled skill", {
      examples: `
  knack enable release-notes
  knack enable release-notes --project`,
      arguments: [[SKILL[0], SKILL[1], "disabled-skill"]],
      options: [PROJECT],
    }),
    command("disable", "Disable a skill: hide it from lists and searches", {
      examples: `
  knack disable release-notes                  # every skill with this name
  knack disable .agents/skills/release-notes   # only this one
  knack list --all                             # shows disabled skills`,
      arguments: [SKILL],
      options: [PROJECT],
    }),
    command("gate", "Show which gate decides about a file or command", {
      description:
        "Gates are rules of the configuration: an agent may do something only after it has loaded a skill. Hooks enforce them.",
      examples: `
  knack gate test db/schema.sql
  knack gate test "git push origin main"`,
      commands: [
        command("test", "Show which gates a write of the file, or the command, meets", {
          arguments: [["<what>", "A file that would be written, or a shell command"]],
        }),
      ],
    }),
    command("token", "Add, list and revoke access tokens for a team", {
      description:
        "Manage the access tokens with which others use this project's knack serve. A reader reads; a runner also runs skills and plans; an approver also confirms and attaches evidence; an owner also changes policy and tokens.",
      examples: `
  knack token add alice --role approver          # prints the token, this once
  knack token add ci --role runner > ci-token    # straight into a file
  knack token list
  knack token revoke alice                       # refused from the next request on`,
      commands: [
        command("add", "Add an access token and print it; it is not shown again", {
          arguments: [["<name>", "Whose token it is: letters, digits and . _ @ -"]],
          options: [
            option("--role <role>", "What it may do", {
              choices: ["reader", "runner", "approver", "owner"],
              isRequired: true,
            }),
          ],
        }),
        command("list", "List the access tokens, revoked ones too", {}),
        command("revoke", "Revoke an access token; a running server refuses it from the next request on", {
          arguments: [["<name>", "Whose token it is"]],
        }),
      ],
    }),
  ],
};

export const CHECK = {
  title: "Get help:",
  commands: [
    command("doctor", "Check the setup and show how to fix problems", {
      description:
        "Check the setup: where things are, what is wrong, how to fix it, which skills overlap. Exit code 1 if something is wrong.",
      examples: `
  knack doctor
  knack doctor --json`,
    }),
    command("completion", "Print a completion script for your shell", {
      description:
        "Print a script that completes commands, options, clients and the names of your skills with Tab.",
      examples: `
  source <(knack completion bash)                                   # in ~/.bashrc
  source <(knack completion zsh)                                    # in ~/.zshrc, after compinit
  knack completion fish > ~/.config/fish/completions/knack.fish
  knack completion powershell | Out-String | Invoke-Expression      # in $PROFILE`,
      arguments: [["<shell>", SHELLS.join(", "), SHELLS]],
    }),
  ],
};
