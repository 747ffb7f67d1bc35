import { CLIENT_NAMES, HOOK_CLIENT_NAMES, HOOK_EVENTS } from "../../client-names.ts";
import { atLeastZero, names, seconds } from "../../options.ts";
import { command, option } from "./command-spec.ts";

export const SERVE = {
  title: "Give skills to an agent:",
  commands: [
    command("setup", "Set up an agent: edits its own configuration", {
      description:
        "Give the skills to an agent: show the change of its own configuration files, ask, write them, and check that the agent connects. Hooks let Knack put the skill that fits a prompt before the model decides. Without a client, list the agents on this machine.",
      examples: `
  knack setup                          # the agents on this machine, and which are set up
  knack setup claude                   # in every folder; asks first, keeps a backup
  knack setup claude codex --no-hooks  # several; the server alone
  knack setup --all --yes              # every agent on this machine, without a question
  knack setup codex --trust-hooks      # lets Codex run the hooks
  knack setup codex --instead          # Knack instead of the list that Codex makes itself
  knack setup claude --print           # the text to paste into files of your own
  knack setup vscode --print --cwd ~/work/shop     # for the skills of that project
  knack setup gemini --yes             # without a question, for scripts
  knack setup claude --http            # uses a running "knack serve", with a token of its own
  knack setup claude --remove          # undoes it`,
      arguments: [["[client...]", CLIENT_NAMES.join(", "), CLIENT_NAMES]],
      options: [
        option("--all", "Every agent on this machine"),
        option("--hooks", "With hooks [default: asked on a terminal, else with hooks]"),
        option("--no-hooks", "Without hooks; removes them where they are"),
        option("--instead", "Leave out the list of skills that the agent makes itself"),
        option("--trust-hooks", "Let Codex run the hooks, as its /hooks does"),
        option("--print", "Print the text to paste; with --remove, the change; write nothing"),
        option("--remove", "Undo the setup"),
        option(
          "--http [url]",
          "Use a running knack serve, with a token of its own [default: http://127.0.0.1:4747/mcp]",
        ),
        option("--yes", "Do not ask"),
      ],
    }),
    command("mcp", "Serve MCP; knack setup makes an agent start it", {
      description: "Serve the skills over MCP, on standard input and output.",
      examples: `
  knack mcp                            # a client starts this, once per conversation
  knack mcp --tools all                # every tool, the built-in typed skills too`,
      options: [
        option(
          "--tools <names>",
          "Tools to offer: core, all, or names separated by commas [default: mcp.tools, else core]",
        ),
      ],
    }),
    command("hook", "Answer a hook of an agent; knack setup writes the hooks", {
      description:
        "Answer a hook of an agent: the skill that fits a prompt, the skills again after a compaction, a gate before a tool. Reads the agent's JSON on standard input and answers in its form; where there is nothing to say, it prints nothing. It always ends with 0.",
      examples: `
  echo '{"session_id": "1", "prompt": "write the release notes"}' | knack hook prompt --client claude`,
      arguments: [["<event>", `What happened: ${HOOK_EVENTS.join(", ")}`, HOOK_EVENTS]],
      options: [
        option("--client <client>", `Whose hook it is: ${HOOK_CLIENT_NAMES.join(", ")}`, {
          choices: HOOK_CLIENT_NAMES,
          isRequired: true,
        }),
      ],
      // With global options in front; usually `program.ts` calls it before any word can be wrong.
    }),
    command("serve", "Serve HTTP: a page at /, MCP at /mcp, an API at /api", {
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
        option("--tls-cert <file>", "Serve HTTPS with this certificate (PEM, with its chain)"),
        option("--tls-key <file>", "The key of the certificate (PEM)"),
        option(
          "--behind-proxy <url>",
          "Address of the proxy in front, such as https://knack.example.com; no other Host or Origin is accepted",
        ),
      ],
    }),
    command("open", "Open the page of a running knack serve", {
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
    }),
    command("rpc", "Serve JSON-RPC on standard input and output", {
      description:
        "Serve JSON-RPC 2.0 on standard input and output, one message per line. One process is one conversation.",
      examples: `
  knack rpc
  echo '{"jsonrpc":"2.0","id":1,"method":"skills.list"}' | knack rpc`,
    }),
    command("shell", "Run slash commands at a prompt", {
      description: "Run slash commands at a prompt or from a pipe.",
      examples: `
  knack shell
  echo /skills | knack shell
  printf '/skill code-review src/server.ts\\n' | knack shell --json`,
    }),
  ],
};

const RUNNER = [
  option("--max-depth <n>", "Maximum depth of a skill [default: dispatch.maxDepth, 3]", {
    parse: atLeastZero,
  }),
  option("--request-id <id>", "Id for the whole tree [default: a new one]"),
  option("--runner <name>", "Runner: claude, codex, gemini, opencode, or one from your configuration", {
    values: ["claude", "codex", "gemini", "opencode"],
  }),
  option("--runner-cmd <command>", "Command to run, without a shell; $(cat) is the frame as one argument"),
  option("--timeout <seconds>", "Time limit for each runner [default: 1800]", { parse: seconds }),
  option("--output-file <file>", "Write the frame to this file"),
  option("--dry-run", "Build the frame and run nothing"),
];

const REQUEST = ["<text...>", "Request to route"] as const;

export const DISPATCH = {
  title: "Give work to a skill:",
  commands: [
    command("route", "Show which role and skill a request goes to, and why", {
      examples: `
  knack route the import test fails since yesterday
  knack route "請審查需求文件並 debug"
  knack route "write the release notes" --json | jq -r .skill`,
      arguments: [REQUEST],
    }),
    command("dispatch", "Dispatch a task to a skill in a role", {
      description:
        "Dispatch a task to a skill in a role: check it, build the frame, start the runner. Then dispatch the skills it requires now.",
      examples: `
  knack dispatch --role fixer --skill systematic-debugging --prompt "The import test fails"      # prints the frame
  knack dispatch --role fixer --skill systematic-debugging --prompt "…" --runner claude
  knack dispatch --role fixer --skill systematic-debugging --execution-mode delegated --depth 1 \\
    --parent-skill executing-plans --edge-type requires_now --visited-skills writing-plans,executing-plans \\
    --prompt "…" --runner-cmd 'gemini --model "gemini-3-flash-preview" -p "$(cat)"'
  knack dispatch --role oracle --skill code-review --prompt-file task.md --dry-run --json`,
      options: [
        ...RUNNER,
        option("--role <role>", "Role: explorer, oracle, librarian, fixer or designer", {
          isRequired: true,
          values: ["explorer", "oracle", "librarian", "fixer", "designer"],
        }),
        option("--skill <skill>", "Name, id, scope:name, folder or SKILL.md of the skill", {
          isRequired: true,
          values: "skill",
        }),
        option("--prompt <text>", "Task for the skill"),
        option("--prompt-file <file>", "Read the task from a file; - reads standard input"),
        option("--execution-mode <mode>", "Whether this is the outermost request or a call by a skill", {
          choices: ["root", "delegated"],
        }),
        option("--depth <n>", "Depth of the caller; the skill is one level deeper", { parse: atLeastZero }),
        option("--parent-skill <skill>", "Skill that makes the call", { values: "skill" }),
        option("--edge-type <type>", "How the caller refers to the skill [default: what its text says]", {
          choices: ["requires_now", "requires_later", "reference_only"],
        }),
        option("--visited-skills <skills>", "Skills already visited, separated by commas", { parse: names }),
        option(
          "--skill-stack <skills>",
          "Stack of the caller, outermost first [default: visited skills, then the parent]",
          { parse: names },
        ),
        option("--allow-reentry", "Allow a visited skill to be dispatched again"),
      ],
    }),
    command("orchestrate", "Route a request, then dispatch it", {
      examples: `
  knack orchestrate "the import test fails since yesterday"          # prints the frame
  knack orchestrate "the import test fails since yesterday" --runner claude
  knack orchestrate --dry-run --json "review this change" | jq .route`,
      arguments: [REQUEST],
      options: RUNNER,
    }),
    command("graph", "Show which skill needs which, cycles, missing skills", {
      description: "Show which skill needs which, with cycles and references to missing skills.",
      examples: `
  knack graph
  knack graph --format mermaid > skills.mmd
  knack graph --format dot | dot -Tsvg > skills.svg
  knack graph --json | jq -r '.edges[] | select(.type == "requires_now") | "\\(.from) → \\(.to)"'
  knack graph --explain release-notes    # the rule and the sentence behind each edge`,
      options: [
        option("--format <format>", "Output format", {
          choices: ["text", "mermaid", "dot", "json"],
          default: "text",
        }),
        option(
          "--explain [skill]",
          "Show the rules, the sentence and the line of each edge, of one skill or all",
        ),
      ],
    }),
  ],
};
