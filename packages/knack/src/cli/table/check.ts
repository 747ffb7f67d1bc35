import { SHELLS } from "../completion/shells.ts";
import type { CommandGroup } from "./command-spec.ts";

export const CHECK: CommandGroup = {
  title: "Get help:",
  commands: [
    {
      name: "doctor",
      summary: "Check the setup and show how to fix problems",
      description:
        "Check the setup: where things are, what is wrong, how to fix it, which skills overlap. Exit code 1 if something is wrong.",
      examples: `
  knack doctor
  knack doctor --json`,
      load: () => import("../doctor/doctor.ts").then(({ doctor }) => doctor),
    },
    {
      name: "completion",
      summary: "Print a completion script for your shell",
      description:
        "Print a script that completes commands, options, clients and the names of your skills with Tab.",
      examples: `
  source <(knack completion bash)                                   # in ~/.bashrc
  source <(knack completion zsh)                                    # in ~/.zshrc, after compinit
  knack completion fish > ~/.config/fish/completions/knack.fish
  knack completion powershell | Out-String | Invoke-Expression      # in $PROFILE`,
      arguments: [["<shell>", SHELLS.join(", "), SHELLS]],
      load: () => import("../completion/completion.ts").then(({ completion }) => completion),
    },
    {
      name: "upgrade",
      summary: "Print how to upgrade Knack",
      description:
        "Print the commands that upgrade this Knack, by how it was installed. It runs nothing and contacts no server.",
      examples: `
  knack upgrade
  knack upgrade --json`,
      load: () => import("../upgrade/upgrade.ts").then(({ upgrade }) => upgrade),
    },
  ],
};
