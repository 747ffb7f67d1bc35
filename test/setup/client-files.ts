import { chmodSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { type Folder, makeFolder } from "../../packages/core/src/testing/files.ts";
import { CLIENT_NAMES, type ClientName } from "../../packages/knack/src/client-names.ts";
import { knack, type Outcome, type RunOptions } from "../cli/run.ts";

/** A file of each client's own format as people have them: comments and trailing commas where the client accepts them. */
interface Format {
  readonly file: string;
  readonly servers: string;
  readonly other: string;
  readonly broken: string;
  /** The line that a broken file is broken in. */
  readonly line: number;
}

const plain = (servers: string): string => `{
  "theme": "dark",
  "${servers}": {
    "github": {
      "command": "npx",
      "args": ["-y", "server-github"],
      "env": { "GITHUB_TOKEN": "ghp_secret" }
    }
  },
  "last": [1, 2]
}
`;
const commented = (servers: string): string => `// my settings
{
  "theme": "dark", // at night
  /* servers */
  "${servers}": {
    "github": { "command": "npx", "args": ["-y", "server-github"] } // works
    // "old": { "command": "old" }
  }
}
`;
const trailing = (servers: string): string => `{
\t// tabs
\t"${servers}": {
\t\t"github": {
\t\t\t"command": "npx",
\t\t}, // works
\t},
\t"last": true,
}`;
const toml = `# my settings
model = "gpt-5"   # the good one
notify = [
  "a", # one
]

[mcp_servers.github] # mine
command = "npx"
args = ["-y", "server-github"]

[mcp_servers.github.env]
GITHUB_TOKEN = "ghp_secret"

# the last
[tui]
note = """
[mcp_servers.knack]
"""
`;

const BROKEN = '{\n  "a": 1,\n  "b" 2\n}\n';

const row = (file: string, servers: string, other: string): Format => ({
  file,
  servers,
  other,
  broken: BROKEN,
  line: 3,
});

export const FORMATS: Readonly<Record<ClientName, Format>> = {
  claude: row(".claude.json", "mcpServers", plain("mcpServers")),
  codex: {
    file: ".codex/config.toml",
    servers: "mcp_servers",
    other: toml,
    broken: 'a = 1\nb = "\n',
    line: 2,
  },
  gemini: row(".gemini/settings.json", "mcpServers", commented("mcpServers")),
  opencode: row(".config/opencode/opencode.json", "mcp", trailing("mcp")),
  copilot: row(".copilot/mcp-config.json", "mcpServers", trailing("mcpServers")),
  qwen: row(".qwen/settings.json", "mcpServers", commented("mcpServers")),
  vscode: row(".config/Code/User/mcp.json", "servers", commented("servers")),
  cursor: row(".cursor/mcp.json", "mcpServers", plain("mcpServers")),
  windsurf: row(".codeium/windsurf/mcp_config.json", "mcpServers", plain("mcpServers")),
  zed: row(".config/zed/settings.json", "context_servers", trailing("context_servers")),
  pi: row(".pi/agent/mcp.json", "mcpServers", plain("mcpServers")),
  antigravity: row(".gemini/config/mcp_config.json", "mcpServers", plain("mcpServers")),
  amp: row(".config/amp/settings.json", "amp.mcpServers", commented("amp.mcpServers")),
  openclaw: row(
    ".openclaw/openclaw.json",
    "mcp servers",
    trailing("mcp")
      .replace('"github"', '"servers": { "github"')
      .replace("}, // works\n\t},", "}, } // works\n\t},"),
  ),
  cline: row(".cline/data/settings/cline_mcp_settings.json", "mcpServers", plain("mcpServers")),
  kiro: row(".kiro/settings/mcp.json", "mcpServers", plain("mcpServers")),
};

export const CLIENTS = CLIENT_NAMES;

/** What the client reads from its file. */
export function read(client: ClientName, text: string): Record<string, unknown> {
  const plainText = text.replace(/^\ufeff/, "");
  if (client === "codex") return parseToml(plainText);
  // Not by the parser that setup uses.
  const keepStrings = (pattern: RegExp, from: string): string =>
    from.replaceAll(pattern, (found) => (found.startsWith('"') ? found : ""));
  const bare = keepStrings(/"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, plainText);
  return JSON.parse(keepStrings(/"(?:\\.|[^"\\])*"|,(?=\s*[}\]])/g, bare).trim() || "{}");
}

export function serversIn(client: ClientName, text: string): Record<string, Record<string, unknown>> {
  const found = FORMATS[client].servers
    .split(" ")
    .reduce<unknown>(
      (holder, key) => (holder as Record<string, unknown> | undefined)?.[key],
      read(client, text),
    );
  return (found ?? {}) as Record<string, Record<string, unknown>>;
}

/** A home folder with these files, and a search path without any client. */
export function makeHome(files: Parameters<typeof makeFolder>[0] = {}): Folder {
  return makeFolder({ "repo/.git/": "", "home/": "", "bin/": "", ...files });
}

export function setup(folder: Folder, args: readonly string[], options: RunOptions = {}): Outcome {
  return knack(folder, ["setup", ...args], { ...options, env: { PATH: folder.at("bin"), ...options.env } });
}

/** Every file below the home folder: its bytes and mode, or where a link leads. */
export function snapshot(folder: Folder): Record<string, string> {
  const base = folder.at("home");
  const names = readdirSync(base, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(
    names.flatMap((name) => {
      const path = join(base, name);
      const stats = lstatSync(path);
      if (stats.isDirectory()) return [];
      if (stats.isSymbolicLink()) return [[name, `link to ${readlinkSync(path)}`]];
      return [[name, `${(stats.mode & 0o777).toString(8)} ${readFileSync(path, "base64")}`]];
    }),
  );
}

/** A program on the search path that answers like the client's own command. */
export function addProgram(folder: Folder, name: string, script: string): void {
  folder.write({ [`bin/${name}`]: `#!/bin/sh\n${script}\n` });
  chmodSync(folder.at(`bin/${name}`), 0o755);
}
