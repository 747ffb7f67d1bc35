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
    "Serve the skills over MCP, on standard input and output.",
    `  knack mcp                            # a client starts this, once per conversation
  knack mcp --print-config claude      # what to paste into .mcp.json
  knack mcp --print-config codex >> ~/.codex/config.toml
  knack mcp --print-config vscode --cwd ~/work/shop     # for the skills of that project
  knack mcp --print-config claude --http                # for a running "knack serve", with its token`,
  )
    .addOption(
      new Option("--print-config <client>", "Print what to paste into the configuration of a client").choices(
        ["claude", "codex", "gemini", "opencode", "vscode", "cursor"],
      ),
    )
    .option(
      "--http [url]",
      "With --print-config: use a running knack serve, with its token [default: http://127.0.0.1:4747/mcp]",
    )
    .action(async (_options, self: Command) => {
      const options = self.optsWithGlobals<PrintConfigOptions & { printConfig?: Client }>();
      if (options.http !== undefined && options.printConfig === undefined)
        throw new SkillError(
          "INVALID_PARAM",
          '--http needs --print-config <client>. To serve over HTTP, run "knack serve".',
        );
      if (options.printConfig === undefined) await (await import("../mcp/transport/stdio.ts")).mcp(options);
      else (await import("../mcp/client-config/print-config.ts")).printConfig(options.printConfig, options);
    });

  command(
    "serve",
    "Serve the skills over HTTP on this machine: MCP at /mcp, an API at /api, a page at /. Every request needs the token.",
    `  knack serve                                   # prints a link to the page that carries the token
  knack serve --port 0 --json | jq -r .url      # any free port; for scripts
  curl -s http://127.0.0.1:4747/api/search?q=review -H "Authorization: Bearer $(cat ~/.knack/token)"
  curl -s http://127.0.0.1:4747/api/policy -H "Authorization: Bearer $(cat ~/.knack/token)" \\
    --json '{"action": "disable", "skill": "release-notes"}'
  KNACK_TOKEN=$(openssl rand -hex 32) knack serve --host 0.0.0.0     # for other machines`,
  )
    .option(
      "--host <address>",
      "Address to listen on; any but loopback needs KNACK_TOKEN [default: 127.0.0.1]",
    )
    .option("--port <n>", "Port to listen on; 0 picks a free one [default: 4747]")
    .action(async (_options, self: Command) =>
      (await import("../http/serve.ts")).serve(self.optsWithGlobals()),
    );

  command(
    "tui",
    "Pick a skill in the terminal: search as you type, preview, enable and disable. Enter prints the chosen skill.",
    `  knack tui
  knack tui release notes                 # start with these words
  knack load "$(knack tui --print)"       # load the chosen skill
  knack tui --json | jq -r .path          # Esc and Ctrl-C print nothing and exit with 130`,
  )
    .argument("[words...]", "Words to search for at the start")
    .option("--print", "Print only the argument for knack load, for scripts")
    .addOption(
      new Option("--scope <scope>", "Start with the skills of this scope").choices([
        "repo",
        "user",
        "bundled",
      ]),
    )
    .action(async (words: string[], _options, self: Command) =>
      (await import("../tui/tui.ts")).tui(words, self.optsWithGlobals()),
    );
}
