import { type CommandGroup, option } from "./command-spec.ts";

export const SERVE: CommandGroup = {
  title: "Give them to an agent:",
  commands: [
    {
      name: "mcp",
      summary: "an MCP server; --print-config says what to paste where",
      description: "An MCP server on standard input and output: every agent that speaks MCP gets the skills.",
      examples: `
  knack mcp                            # started by a client, for one conversation
  knack mcp --print-config claude      # what to paste into .mcp.json
  knack mcp --print-config codex >> ~/.codex/config.toml
  knack mcp --print-config vscode --cwd ~/work/shop     # for the skills of that project
  knack mcp --print-config claude --http                # for a running "knack serve", with its token`,
      options: [
        option("--print-config <client>", "print what to paste into a client's configuration", {
          choices: ["claude", "codex", "gemini", "opencode", "vscode", "cursor"],
        }),
        option(
          "--http [url]",
          "with --print-config: for a running knack serve (http://127.0.0.1:4747/mcp), with its token",
        ),
      ],
      load: () => import("../mcp.ts").then(({ mcp }) => mcp),
    },
    {
      name: "serve",
      summary: "HTTP on this machine: MCP at /mcp, a JSON API at /api",
      description:
        "Answer over HTTP on this machine: MCP at /mcp, the API at /api, a page at /. Every request needs the token.",
      examples: `
  knack serve                                   # prints a link to the page that carries the token
  knack serve --port 0 --json | jq -r .url      # any free port; for scripts
  curl -s http://127.0.0.1:4747/api/search?q=review -H "Authorization: Bearer $(cat ~/.knack/token)"
  curl -s http://127.0.0.1:4747/api/policy -H "Authorization: Bearer $(cat ~/.knack/token)" \\
    --json '{"action": "disable", "skill": "release-notes"}'
  KNACK_TOKEN=$(openssl rand -hex 32) knack serve --host 0.0.0.0     # for other machines`,
      options: [
        option(
          "--host <address>",
          "where to listen; another than this machine's own needs KNACK_TOKEN (127.0.0.1)",
        ),
        option("--port <n>", "the port; 0 takes any that is free (4747)"),
      ],
      load: () => import("../../http/serve.ts").then(({ serve }) => serve),
    },
    {
      name: "rpc",
      summary: "JSON-RPC on standard input and output",
      description:
        "JSON-RPC 2.0 on standard input and output, one message a line; one process is one conversation.",
      examples: `
  knack rpc
  echo '{"jsonrpc":"2.0","id":1,"method":"skills.list"}' | knack rpc`,
      load: () => import("../../rpc/serve.ts").then(({ rpc }) => rpc),
    },
    {
      name: "shell",
      summary: "a prompt for the slash commands",
      description: "A prompt for the slash commands; reads a pipe too.",
      examples: `
  knack shell
  echo /skills | knack shell
  printf '/skill code-review src/server.ts\\n' | knack shell --json`,
      load: () => import("../use/shell.ts").then(({ shell }) => shell),
    },
  ],
};
