import { join } from "node:path";
import { CLIENT_FOLDERS } from "@knack/core/config";
import type { ClientName } from "../client-names.ts";
import {
  configHome,
  homeOf,
  type ServerEntry,
  type Syntax,
  type UserPlace,
  type Words,
} from "./client-file.ts";
import { HOOK_SETUPS, type HookSetup } from "./hooks.ts";

export interface Client {
  readonly title: string;
  /** Its programs; one on the search path shows that it is installed. */
  readonly programs: readonly string[];
  /** The user's own files that it reads servers from: the first that exists, else the first, is edited. */
  readonly files: (place: UserPlace) => readonly [string, ...string[]];
  readonly syntax: Syntax;
  /** The keys that lead to the servers. */
  readonly servers: readonly [string, ...string[]];
  readonly stdio: (words: Words) => ServerEntry;
  /** `authorization` is the value of that header. */
  readonly http: (url: string, authorization: string) => ServerEntry;
  /** The value of a header that takes the token from `KNACK_TOKEN`. */
  readonly variable: string;
  /** The same entry where a variable is named otherwise than in a header. */
  readonly httpByVariable?: (url: string) => ServerEntry;
  /** The value of a header that takes the token from a file. Without it, the token is written into the client's file. */
  readonly tokenFrom?: (file: string) => string;
  /** The client asks the user for the token and keeps it: the question, which `http` refers to. */
  readonly question?: { readonly key: string; readonly value: ServerEntry & { readonly id: string } };
  /** What a new file has besides. */
  readonly preamble?: ServerEntry;
  /** Where `--print` says that its text goes. */
  readonly pasteInto: string;
  /** The client's own command that adds a server over standard input and output, or over HTTP. */
  readonly adds?: string;
  readonly addsHttp?: (url: string) => string;
  /** Its command that tells of the server. */
  readonly check?: Check;
  /** What the user should know besides. */
  readonly remark?: string;
  /** A program with windows, which is seldom started from a shell. */
  readonly isDesktop?: boolean;
  /** Folders in which it finds skills without Knack. */
  readonly reads: readonly string[];
  /** Its hooks; a client that nobody could run with them has none. */
  readonly hooks?: HookSetup;
  /** How it is told to leave out its own list of skills. */
  readonly ownList?: OwnList;
}

/** The settings with which a client leaves out its own list. */
interface OwnList {
  /** The file, where it is not that of the servers. */
  readonly file?: (place: UserPlace) => string;
  /** For each setting its keys, by the names of the skills in its user folders. */
  readonly settings: (names: readonly string[]) => readonly Setting[];
  /** A skill as the client lists it. */
  readonly line: (skill: {
    readonly name: string;
    readonly description: string;
    readonly path: string;
  }) => string;
  readonly remark: string;
}

interface Setting {
  readonly path: readonly string[];
  readonly key: string;
  readonly value: string | boolean;
}

export interface Check {
  readonly args: readonly string[];
  /** Found in the output where the client connects; absent where the command only lists the server. */
  readonly connected?: RegExp;
  /** Variables that it needs for this. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Where desktop programs keep what belongs to a user. */
function appData(place: UserPlace): string {
  const { env, home, platform } = place;
  if (platform === "win32") return env.APPDATA || join(home, "AppData", "Roaming");
  return platform === "darwin" ? join(home, "Library", "Application Support") : configHome(place);
}

const entry = ([command, ...args]: Words): ServerEntry => ({ command, args });
const headers = (Authorization: string): ServerEntry => ({ headers: { Authorization } });

/** What most clients have in common. */
const client = (
  title: string,
  row: Pick<Client, "programs" | "files" | "pasteInto" | "reads"> & Partial<Client>,
): Client => ({
  title,
  syntax: "jsonc",
  servers: ["mcpServers"],
  stdio: entry,
  http: (url, value) => ({ url, ...headers(value) }),
  variable: `Bearer \${KNACK_TOKEN}`,
  ...row,
});

const AGENTS = ["~/.agents/skills", ".agents/skills"] as const;
const CLAUDE = ["~/.claude/skills", ".claude/skills"] as const;

/** For a client that replaces no variables in its file. */
const tokenByHand = (name: ClientName): string =>
  `Bearer <what knack token add ${name} --role runner prints>`;

/** One row a client, in the form that it documents. test/agents/README.md says which versions were tried. */
export const CLIENTS: Readonly<Record<ClientName, Client>> = {
  claude: client(CLIENT_FOLDERS.claude.title, {
    programs: ["claude"],
    // The user's own servers, in every folder. Claude Code refuses to start if the file has a comment.
    files: (place) => [homeOf(place, "CLAUDE_CONFIG_DIR", "", ".claude.json")],
    syntax: "json",
    // It waits for the server then, up to 5 s: else its first request often has no tool of Knack.
    stdio: (words) => ({ ...entry(words), alwaysLoad: true }),
    http: (url, value) => ({ type: "http", url, ...headers(value) }),
    pasteInto: ".mcp.json in the project",
    adds: "claude mcp add knack --",
    addsHttp: (url) =>
      `claude mcp add --transport http knack ${url} --header "Authorization: Bearer $(knack token add claude --role runner)"`,
    check: { args: ["mcp", "get", "knack"], connected: /Status: \S+ Connected/ },
    reads: CLAUDE,
    hooks: HOOK_SETUPS.claude,
    ownList: {
      file: HOOK_SETUPS.claude.file,
      settings: (names) =>
        names.map((key) => ({ path: ["skillOverrides"], key, value: "user-invocable-only" })),
      line: ({ name, description }) => `- ${name}: ${description}`,
      remark:
        "Claude Code lists the skills of ~/.claude/skills no longer; their slash commands stay. Run this again for skills that are added later.",
    },
  }),
  codex: client(CLIENT_FOLDERS.codex.title, {
    programs: ["codex"],
    files: (place) => [homeOf(place, "CODEX_HOME", ".codex", "config.toml")],
    syntax: "toml",
    servers: ["mcp_servers"],
    http: (url, Authorization) => ({ url, http_headers: { Authorization } }),
    variable: "Bearer $KNACK_TOKEN",
    httpByVariable: (url) => ({ url, bearer_token_env_var: "KNACK_TOKEN" }),
    pasteInto: "~/.codex/config.toml, or .codex/config.toml in the project",
    adds: "codex mcp add knack --",
    addsHttp: (url) => `codex mcp add knack --url ${url} --bearer-token-env-var KNACK_TOKEN`,
    check: { args: ["mcp", "get", "knack"] },
    reads: [...AGENTS, "~/.codex/skills"],
    hooks: HOOK_SETUPS.codex,
    ownList: {
      settings: () => [{ path: ["skills"], key: "include_instructions", value: false }],
      line: ({ name, description, path }) => `- ${name}: ${description} (file: ${path})`,
      remark: "Codex lists no skills of its own; you still name one with $ and its name.",
    },
  }),
  gemini: client(CLIENT_FOLDERS.gemini.title, {
    programs: ["gemini"],
    files: (place) => [homeOf(place, "GEMINI_CLI_HOME", "", ".gemini/settings.json")],
    syntax: "comments",
    http: (httpUrl, value) => ({ httpUrl, ...headers(value) }),
    variable: "Bearer $KNACK_TOKEN",
    pasteInto: "~/.gemini/settings.json, or .gemini/settings.json in the project",
    addsHttp: (url) =>
      `gemini mcp add --transport http --header "Authorization: Bearer $(knack token add gemini --role runner)" knack ${url}`,
    check: {
      args: ["mcp", "list"],
      connected: /^\W*knack: .* - Connected$/m,
      // It starts no server in a folder that it does not trust; the check runs in an empty one.
      env: { GEMINI_CLI_TRUST_WORKSPACE: "true" },
    },
    remark: "Gemini CLI starts MCP servers only in folders that you trust in Gemini CLI.",
    reads: ["~/.gemini/skills", ".gemini/skills", ...AGENTS],
    hooks: HOOK_SETUPS.gemini,
  }),
  opencode: client(CLIENT_FOLDERS.opencode.title, {
    programs: ["opencode"],
    // It reads both and lets the second win.
    files: (place) => {
      const folder = `${configHome(place)}/opencode`;
      return [`${folder}/opencode.json`, `${folder}/opencode.jsonc`];
    },
    servers: ["mcp"],
    stdio: (words) => ({ type: "local", command: words, enabled: true }),
    http: (url, value) => ({ type: "remote", url, ...headers(value), enabled: true }),
    variable: "Bearer {env:KNACK_TOKEN}",
    tokenFrom: (file) => `Bearer {file:${file}}`,
    preamble: { $schema: "https://opencode.ai/config.json" },
    pasteInto: "opencode.json in the project, or ~/.config/opencode/opencode.json",
    check: { args: ["mcp", "list"], connected: /✓ knack\b.*connected/ },
    reads: ["~/.config/opencode/skills", ".opencode/skills", ...CLAUDE, ...AGENTS],
    hooks: HOOK_SETUPS.opencode,
  }),
  copilot: client(CLIENT_FOLDERS.copilot.title, {
    programs: ["copilot"],
    files: (place) => [homeOf(place, "COPILOT_HOME", ".copilot", "mcp-config.json")],
    stdio: (words) => ({ type: "local", ...entry(words), tools: ["*"] }),
    http: (url, value) => ({ type: "http", url, ...headers(value), tools: ["*"] }),
    pasteInto: "~/.copilot/mcp-config.json",
    check: { args: ["mcp", "get", "knack"] },
    reads: ["~/.copilot/skills", ".github/skills", ".claude/skills", ...AGENTS],
    hooks: HOOK_SETUPS.copilot,
  }),
  qwen: client(CLIENT_FOLDERS.qwen.title, {
    programs: ["qwen"],
    files: (place) => [homeOf(place, "QWEN_HOME", ".qwen", "settings.json")],
    syntax: "comments",
    http: (httpUrl, value) => ({ httpUrl, ...headers(value) }),
    variable: "Bearer $KNACK_TOKEN",
    pasteInto: "~/.qwen/settings.json, or .qwen/settings.json in the project",
    check: { args: ["mcp", "list"], connected: /^\W*knack: .* - Connected$/m },
    reads: ["~/.qwen/skills", ".qwen/skills", ...AGENTS],
    hooks: HOOK_SETUPS.qwen,
  }),
  vscode: client("VS Code", {
    isDesktop: true,
    programs: ["code"],
    files: (place) => [
      place.env.VSCODE_PORTABLE
        ? `${place.env.VSCODE_PORTABLE}/user-data/User/mcp.json`
        : `${appData(place)}/Code/User/mcp.json`,
    ],
    servers: ["servers"],
    stdio: (words) => ({ type: "stdio", ...entry(words) }),
    http: (url, value) => ({ type: "http", url, ...headers(value) }),
    variable: `Bearer \${input:knack-token}`,
    question: {
      key: "inputs",
      value: {
        type: "promptString",
        id: "knack-token",
        description: "The token of knack serve (~/.knack/tokens/vscode)",
        password: true,
      },
    },
    pasteInto: ".vscode/mcp.json in the project",
    reads: ["~/.copilot/skills", ".github/skills", ...CLAUDE, ...AGENTS],
  }),
  cursor: client(CLIENT_FOLDERS.cursor.title, {
    isDesktop: true,
    programs: ["cursor", "cursor-agent"],
    files: ({ home }) => [`${home}/.cursor/mcp.json`],
    variable: `Bearer \${env:KNACK_TOKEN}`,
    pasteInto: "~/.cursor/mcp.json, or .cursor/mcp.json in the project",
    reads: ["~/.cursor/skills", ".cursor/skills", ...CLAUDE, ...AGENTS],
  }),
  windsurf: client(CLIENT_FOLDERS.windsurf.title, {
    isDesktop: true,
    programs: ["windsurf"],
    files: ({ home }) => [`${home}/.codeium/windsurf/mcp_config.json`],
    http: (serverUrl, value) => ({ serverUrl, ...headers(value) }),
    variable: `Bearer \${env:KNACK_TOKEN}`,
    pasteInto: "~/.codeium/windsurf/mcp_config.json",
    reads: ["~/.codeium/windsurf/skills", ".windsurf/skills", ...AGENTS],
  }),
  zed: client("Zed", {
    isDesktop: true,
    programs: ["zed", "zeditor"],
    files: (place) => [
      place.platform === "win32"
        ? `${appData(place)}/Zed/settings.json`
        : `${place.platform === "darwin" ? `${place.home}/.config` : place.env.FLATPAK_XDG_CONFIG_HOME || configHome(place)}/zed/settings.json`,
    ],
    servers: ["context_servers"],
    // Zed replaces nothing in its settings.
    variable: tokenByHand("zed"),
    pasteInto: "~/.config/zed/settings.json",
    reads: AGENTS,
  }),
  pi: client(CLIENT_FOLDERS.pi.title, {
    programs: ["pi"],
    files: (place) => [homeOf(place, "PI_CODING_AGENT_DIR", ".pi/agent", "mcp.json")],
    // Else a model reaches the tools only from scripts.
    stdio: (words) => ({ ...entry(words), exposure: "direct" }),
    http: (url, value) => ({ url, ...headers(value), exposure: "direct" }),
    pasteInto: "~/.pi/agent/mcp.json, or .pi/mcp.json in the project",
    remark: "pi before 1.0 needs the package pi-mcp-adapter for MCP servers.",
    reads: ["~/.pi/agent/skills", ".pi/skills", ...AGENTS],
    hooks: HOOK_SETUPS.pi,
  }),
  antigravity: client(CLIENT_FOLDERS.antigravity.title, {
    isDesktop: true,
    programs: ["agy", "antigravity"],
    files: ({ home }) => [`${home}/.gemini/config/mcp_config.json`],
    http: (serverUrl, value) => ({ serverUrl, ...headers(value) }),
    // Nobody says that it replaces variables.
    variable: tokenByHand("antigravity"),
    pasteInto: "~/.gemini/config/mcp_config.json, or .agents/mcp_config.json in the project",
    reads: [
      "~/.gemini/antigravity/skills",
      "~/.gemini/antigravity-cli/skills",
      ".agents/skills",
      ".agent/skills",
    ],
  }),
  amp: client(CLIENT_FOLDERS.amp.title, {
    programs: ["amp"],
    files: ({ home }) => [`${home}/.config/amp/settings.json`, `${home}/.config/amp/settings.jsonc`],
    servers: ["amp.mcpServers"],
    pasteInto: "~/.config/amp/settings.json, or .amp/settings.json in the project",
    adds: "amp mcp add knack --",
    reads: ["~/.config/amp/skills", "~/.config/agents/skills", ...CLAUDE, ".agents/skills"],
  }),
  openclaw: client(CLIENT_FOLDERS.openclaw.title, {
    programs: ["openclaw"],
    files: (place) => [homeOf(place, "OPENCLAW_STATE_DIR", ".openclaw", "openclaw.json")],
    servers: ["mcp", "servers"],
    http: (url, value) => ({ url, transport: "streamable-http", ...headers(value) }),
    pasteInto: "~/.openclaw/openclaw.json",
    reads: ["~/.openclaw/skills", ...AGENTS],
  }),
  cline: client(CLIENT_FOLDERS.cline.title, {
    programs: ["cline"],
    files: ({ env, home }) => [
      env.CLINE_MCP_SETTINGS_PATH || `${home}/.cline/data/settings/cline_mcp_settings.json`,
    ],
    http: (url, value) => ({ type: "streamableHttp", url, ...headers(value) }),
    variable: tokenByHand("cline"),
    pasteInto: "~/.cline/data/settings/cline_mcp_settings.json; in the editor: MCP Servers, Configure",
    remark: "The Cline extension of an editor has a file of its own: paste the entry there (--print).",
    reads: ["~/.cline/skills", ".cline/skills", ".clinerules/skills", ".claude/skills"],
  }),
  kiro: client(CLIENT_FOLDERS.kiro.title, {
    isDesktop: true,
    programs: ["kiro-cli", "kiro"],
    files: ({ home }) => [`${home}/.kiro/settings/mcp.json`],
    pasteInto: "~/.kiro/settings/mcp.json, or .kiro/settings/mcp.json in the project",
    reads: ["~/.kiro/skills", ".kiro/skills"],
  }),
};
