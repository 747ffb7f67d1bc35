import type { ClientName } from "../../client-names.ts";
import type { Client, Entry, Words } from "./client.ts";
import { appData, configHome, homeOf } from "./places.ts";

const entry = ([command, ...args]: Words): Entry => ({ command, args });
const headers = (Authorization: string): Entry => ({ headers: { Authorization } });

const AGENTS = ["~/.agents/skills", ".agents/skills"] as const;
const CLAUDE = ["~/.claude/skills", ".claude/skills"] as const;

/** One row a client, in the form that it documents. docs/setup.md says which versions were tried. */
export const CLIENTS: Readonly<Record<ClientName, Client>> = {
  claude: {
    title: "Claude Code",
    programs: ["claude"],
    // The user's own servers, in every folder. Claude Code refuses to start if the file has a comment.
    files: (place) => [homeOf(place, "CLAUDE_CONFIG_DIR", "", ".claude.json")],
    syntax: "json",
    servers: ["mcpServers"],
    stdio: entry,
    http: (url, value) => ({ type: "http", url, ...headers(value) }),
    variable: `Bearer \${KNACK_TOKEN}`,
    pasteInto: ".mcp.json in the project",
    adds: "claude mcp add knack --",
    addsHttp: (url) =>
      `claude mcp add --transport http knack ${url} --header "Authorization: Bearer $(cat ~/.knack/token)"`,
    check: { args: ["mcp", "get", "knack"], connected: /Status: \S+ Connected/ },
    reads: CLAUDE,
  },
  codex: {
    title: "Codex",
    programs: ["codex"],
    files: (place) => [homeOf(place, "CODEX_HOME", ".codex", "config.toml")],
    syntax: "toml",
    servers: ["mcp_servers"],
    stdio: entry,
    http: (url, Authorization) => ({ url, http_headers: { Authorization } }),
    variable: "Bearer $KNACK_TOKEN",
    httpByVariable: (url) => ({ url, bearer_token_env_var: "KNACK_TOKEN" }),
    pasteInto: "~/.codex/config.toml, or .codex/config.toml in the project",
    adds: "codex mcp add knack --",
    addsHttp: (url) => `codex mcp add knack --url ${url} --bearer-token-env-var KNACK_TOKEN`,
    check: { args: ["mcp", "get", "knack"] },
    reads: [...AGENTS, "~/.codex/skills"],
  },
  gemini: {
    title: "Gemini CLI",
    programs: ["gemini"],
    files: (place) => [homeOf(place, "GEMINI_CLI_HOME", "", ".gemini/settings.json")],
    syntax: "comments",
    servers: ["mcpServers"],
    stdio: entry,
    http: (httpUrl, value) => ({ httpUrl, ...headers(value) }),
    variable: "Bearer $KNACK_TOKEN",
    pasteInto: "~/.gemini/settings.json, or .gemini/settings.json in the project",
    addsHttp: (url) =>
      `gemini mcp add --transport http --header "Authorization: Bearer $(cat ~/.knack/token)" knack ${url}`,
    check: {
      args: ["mcp", "list"],
      connected: /^\W*knack: .* - Connected$/m,
      // It starts no server in a folder that it does not trust; the check runs in an empty one.
      env: { GEMINI_CLI_TRUST_WORKSPACE: "true" },
    },
    remark: "Gemini CLI starts MCP servers only in folders that you trust in Gemini CLI.",
    reads: ["~/.gemini/skills", ".gemini/skills", ...AGENTS],
  },
  opencode: {
    title: "opencode",
    programs: ["opencode"],
    // It reads both and lets the second win.
    files: (place) => {
      const folder = `${configHome(place)}/opencode`;
      return [`${folder}/opencode.json`, `${folder}/opencode.jsonc`];
    },
    syntax: "jsonc",
    servers: ["mcp"],
    stdio: (words) => ({ type: "local", command: words, enabled: true }),
    http: (url, value) => ({ type: "remote", url, ...headers(value), enabled: true }),
    variable: "Bearer {env:KNACK_TOKEN}",
    tokenFrom: (file) => `Bearer {file:${file}}`,
    preamble: { $schema: "https://opencode.ai/config.json" },
    pasteInto: "opencode.json in the project, or ~/.config/opencode/opencode.json",
    check: { args: ["mcp", "list"], connected: /✓ knack\b.*connected/ },
    reads: ["~/.config/opencode/skills", ".opencode/skills", ...CLAUDE, ...AGENTS],
  },
  copilot: {
    title: "Copilot CLI",
    programs: ["copilot"],
    files: (place) => [homeOf(place, "COPILOT_HOME", ".copilot", "mcp-config.json")],
    syntax: "jsonc",
    servers: ["mcpServers"],
    stdio: (words) => ({ type: "local", ...entry(words), tools: ["*"] }),
    http: (url, value) => ({ type: "http", url, ...headers(value), tools: ["*"] }),
    variable: `Bearer \${KNACK_TOKEN}`,
    pasteInto: "~/.copilot/mcp-config.json",
    check: { args: ["mcp", "get", "knack"] },
    reads: ["~/.copilot/skills", ".github/skills", ".claude/skills", ...AGENTS],
  },
  qwen: {
    title: "Qwen Code",
    programs: ["qwen"],
    files: (place) => [homeOf(place, "QWEN_HOME", ".qwen", "settings.json")],
    syntax: "comments",
    servers: ["mcpServers"],
    stdio: entry,
    http: (httpUrl, value) => ({ httpUrl, ...headers(value) }),
    variable: "Bearer $KNACK_TOKEN",
    pasteInto: "~/.qwen/settings.json, or .qwen/settings.json in the project",
    check: { args: ["mcp", "list"], connected: /^\W*knack: .* - Connected$/m },
    reads: ["~/.qwen/skills", ".qwen/skills", ...AGENTS],
  },
  vscode: {
    title: "VS Code",
    programs: ["code"],
    files: (place) => [
      place.env.VSCODE_PORTABLE
        ? `${place.env.VSCODE_PORTABLE}/user-data/User/mcp.json`
        : `${appData(place)}/Code/User/mcp.json`,
    ],
    syntax: "jsonc",
    servers: ["servers"],
    stdio: (words) => ({ type: "stdio", ...entry(words) }),
    http: (url, value) => ({ type: "http", url, ...headers(value) }),
    variable: `Bearer \${input:knack-token}`,
    question: {
      key: "inputs",
      value: {
        type: "promptString",
        id: "knack-token",
        description: "The token of knack serve (~/.knack/token)",
        password: true,
      },
    },
    pasteInto: ".vscode/mcp.json in the project",
    reads: ["~/.copilot/skills", ".github/skills", ...CLAUDE, ...AGENTS],
  },
  cursor: {
    title: "Cursor",
    programs: ["cursor", "cursor-agent"],
    files: ({ home }) => [`${home}/.cursor/mcp.json`],
    syntax: "jsonc",
    servers: ["mcpServers"],
    stdio: entry,
    http: (url, value) => ({ url, ...headers(value) }),
    variable: `Bearer \${env:KNACK_TOKEN}`,
    pasteInto: "~/.cursor/mcp.json, or .cursor/mcp.json in the project",
    reads: ["~/.cursor/skills", ".cursor/skills", ...CLAUDE, ...AGENTS],
  },
  windsurf: {
    title: "Windsurf",
    programs: ["windsurf"],
    files: ({ home }) => [`${home}/.codeium/windsurf/mcp_config.json`],
    syntax: "jsonc",
    servers: ["mcpServers"],
    stdio: entry,
    http: (serverUrl, value) => ({ serverUrl, ...headers(value) }),
    variable: `Bearer \${env:KNACK_TOKEN}`,
    pasteInto: "~/.codeium/windsurf/mcp_config.json",
    reads: ["~/.codeium/windsurf/skills", ".windsurf/skills", ...AGENTS],
  },
  zed: {
    title: "Zed",
    programs: ["zed", "zeditor"],
    files: (place) => [
      place.platform === "win32"
        ? `${appData(place)}/Zed/settings.json`
        : `${place.platform === "darwin" ? `${place.home}/.config` : place.env.FLATPAK_XDG_CONFIG_HOME || configHome(place)}/zed/settings.json`,
    ],
    syntax: "jsonc",
    servers: ["context_servers"],
    stdio: entry,
    http: (url, value) => ({ url, ...headers(value) }),
    // Zed replaces nothing in its settings.
    variable: "Bearer <the token in ~/.knack/token>",
    pasteInto: "~/.config/zed/settings.json",
    reads: AGENTS,
  },
};
