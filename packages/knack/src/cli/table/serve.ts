import { CLIENT_NAMES } from "../../client-names.ts";
import { type CommandGroup, option } from "./command-spec.ts";

export const SERVE: CommandGroup = {
  title: "Give skills to an agent:",
  commands: [
    {
      name: "setup",
      summary: "Set up an agent: edits its own configuration",
      description:
        "Give the skills to an agent: show the change of its own configuration file, ask, write it, and check that the agent connects. Without a client, list the agents on this machine.",
      examples: `
  knack setup                          # the agents on this machine, and which are set up
  knack setup claude                   # in every folder; asks first, keeps a backup
  knack setup codex --print            # only shows the change
  knack setup gemini --yes             # without a question, for scripts
  knack setup claude --http            # uses a running "knack serve" with its token
  knack setup claude --remove          # undoes it`,
      arguments: [["[client]", CLIENT_NAMES.join(", "), CLIENT_NAMES]],
      options: [
        option("--print", "Show the change and write nothing"),
        option("--remove", "Undo the setup"),
        option(
          "--http [url]",
          "Use a running knack serve, with its token [default: http://127.0.0.1:4747/mcp]",
        ),
        option("--yes", "Do not ask"),
      ],
      load: () => import("../../setup/setup.ts").then(({ setup }) => setup),
    },
    {
      name: "mcp",
      summary: "Serve MCP; --print-config shows how to set it up",
      description: "Serve the skills over MCP, on standard input and output.",
      examples: `
  knack mcp                            # a client starts this, once per conversation
  knack mcp --tools all                # every tool, the built-in typed skills too
  knack mcp --print-config claude      # what to paste into .mcp.json
  knack mcp --print-config codex >> ~/.codex/config.toml
  knack mcp --print-config vscode --cwd ~/work/shop     # for the skills of that project
  knack mcp --print-config claude --http                # for a running "knack serve", with its token`,
      options: [
        option(
          "--tools <names>",
          "Tools to offer: core, all, or names separated by commas [default: mcp.tools, else core]",
        ),
        option("--print-config <client>", "Print what to paste into the configuration of a client", {
          choices: CLIENT_NAMES,
        }),
        option(
          "--http [url]",
          "With --print-config: use a running knack serve, with its token [default: http://127.0.0.1:4747/mcp]",
        ),
      ],
      load: () => import("../mcp.ts").then(({ mcp }) => mcp),
    },
    {
      name: "serve",
      summary: "Serve HTTP: a page at /, MCP at /mcp, an API at /api",
      description:
        "Serve the skills over HTTP on this machine: MCP at /mcp, an API at /api, a page at /, metrics for Prometheus at /metrics. Every request needs the token. For a team, --listen takes another address; that needs access tokens (knack token add), and a certificate or a proxy.",
      examples: `
  knack serve                                   # prints a link to the page that carries the token
  knack serve --port 0 --json | jq -r .url      # any free port; for scripts
  curl -s http://127.0.0.1:4747/api/search?q=review -H "Authorization: Bearer $(cat ~/.knack/token)"
  curl -s http://127.0.0.1:4747/api/policy -H "Authorization: Bearer $(cat ~/.knack/token)" \\
    --json '{"action": "disable", "skill": "release-notes"}'
  curl -s http://127.0.0.1:4747/metrics -H "Authorization: Bearer $(cat ~/.knack/token)"    # for Prometheus
  knack serve --listen 0.0.0.0:4747 --tls-cert cert.pem --tls-key key.pem    # for a team
  knack serve --listen 127.0.0.1:4747 --behind-proxy https://knack.example.com`,
      options: [
        option(
          "--listen <host:port>",
          "Address and port to listen on; any but loopback needs access tokens, and a certificate or a proxy [default: 127.0.0.1:4747]",
        ),
        option("--host <address>", "Address to listen on, without the port"),
        option("--port <n>", "Port to listen on; 0 picks a free one [default: 4747]"),
        option("--tls-cert <file>", "Serve HTTPS with this certificate (PEM, with its chain)", {
          values: "file",
        }),
        option("--tls-key <file>", "The key of the certificate (PEM)", { values: "file" }),
        option(
          "--behind-proxy <url>",
          "Address of the proxy in front, such as https://knack.example.com; no other Host or Origin is accepted",
        ),
      ],
      load: () => import("../../http/serve.ts").then(({ serve }) => serve),
    },
    {
      name: "open",
      summary: "Open the page of a running knack serve",
      description:
        "Open the page of a running knack serve in the browser. Without a screen, or with --print, print its link, which carries the token.",
      examples: `
  knack open
  knack open --print                   # the link, to paste into a browser
  knack open --port 4748`,
      options: [
        option("--port <n>", "Port of the server [default: 4747]"),
        option("--print", "Print the link and open nothing"),
      ],
      load: () => import("../../http/open.ts").then(({ open }) => open),
    },
    {
      name: "rpc",
      summary: "Serve JSON-RPC on standard input and output",
      description:
        "Serve JSON-RPC 2.0 on standard input and output, one message per line. One process is one conversation.",
      examples: `
  knack rpc
  echo '{"jsonrpc":"2.0","id":1,"method":"skills.list"}' | knack rpc`,
      load: () => import("../../rpc/serve.ts").then(({ rpc }) => rpc),
    },
    {
      name: "shell",
      summary: "Run slash commands at a prompt",
      description: "Run slash commands at a prompt or from a pipe.",
      examples: `
  knack shell
  echo /skills | knack shell
  printf '/skill code-review src/server.ts\\n' | knack shell --json`,
      load: () => import("../use/shell.ts").then(({ shell }) => shell),
    },
  ],
};
