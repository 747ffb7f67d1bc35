import { SkillError } from "@knack/core";
import { type Command, Option } from "commander";
import type { Client } from "../mcp/client-config/http-config.ts";
import type { PrintConfigOptions } from "../mcp/client-config/print-config.ts";

/** Makes a command with its summary and examples. */
type AddCommand = (name: string, summary: string, examples: string) => Command;

/** The commands that go on until they are told to end. */
export function addServerCommands(command: AddCommand): void {
  command(
    "mcp",
    "An MCP server on standard input and output: every agent that speaks MCP gets the skills.",
    `  knack mcp                            # started by a client, for one conversation
  knack mcp --print-config claude      # what to paste into .mcp.json
  knack mcp --print-config codex >> ~/.codex/config.toml
  knack mcp --print-config vscode --cwd ~/work/shop     # for the skills of that project
  knack mcp --print-config claude --http                # for a running "knack serve", with its token`,
  )
    .addOption(
      new Option("--print-config <client>", "print what to paste into a client's configuration").choices([
        "claude",
        "codex",
        "gemini",
        "opencode",
        "vscode",
        "cursor",
      ]),
    )
    .option(
      "--http [url]",
      "with --print-config: for a running knack serve (http://127.0.0.1:4747/mcp), with its token",
    )
    .action(async (_options, self: Command) => {
      const options = self.optsWithGlobals<PrintConfigOptions & { printConfig?: Client }>();
      if (options.http !== undefined && options.printConfig === undefined)
        throw new SkillError(
          "INVALID_PARAM",
          '--http goes with --print-config <client>; "knack serve" is the server over HTTP.',
        );
      if (options.printConfig === undefined) await (await import("../mcp/transport/stdio.ts")).mcp(options);
      else (await import("../mcp/client-config/print-config.ts")).printConfig(options.printConfig, options);
    });

  command(
    "serve",
    "Answer over HTTP on this machine: MCP at /mcp, the API at /api, a page at /. Every request needs the token.",
    `  knack serve                                   # prints a link to the page that carries the token
  knack serve --port 0 --json | jq -r .url      # any free port; for scripts
  curl -s http://127.0.0.1:4747/api/search?q=review -H "Authorization: Bearer $(cat ~/.knack/token)"
  curl -s http://127.0.0.1:4747/api/policy -H "Authorization: Bearer $(cat ~/.knack/token)" \\
    --json '{"action": "disable", "skill": "release-notes"}'
  KNACK_TOKEN=$(openssl rand -hex 32) knack serve --host 0.0.0.0     # for other machines`,
  )
    .option(
      "--host <address>",
      "where to listen; another than this machine's own needs KNACK_TOKEN (127.0.0.1)",
    )
    .option("--port <n>", "the port; 0 takes any that is free (4747)")
    .action(async (_options, self: Command) =>
      (await import("../http/serve.ts")).serve(self.optsWithGlobals()),
    );

  command(
    "tui",
    "Pick a skill at the terminal: search as you type, preview, switch on and off. Enter prints the chosen one.",
    `  knack tui
  knack tui release notes                 # begin with these words
  knack load "$(knack tui --print)"       # load what was chosen
  knack tui --json | jq -r .path          # Esc and Ctrl-C print nothing and exit with 130`,
  )
    .argument("[words...]", "what to search for at the start")
    .option("--print", "print only what knack load takes, for use in scripts")
    .addOption(
      new Option("--scope <scope>", "begin with the skills of this scope").choices([
        "repo",
        "user",
        "bundled",
      ]),
    )
    .action(async (words: string[], _options, self: Command) =>
      (await import("../tui/tui.ts")).tui(words, self.optsWithGlobals()),
    );
}
