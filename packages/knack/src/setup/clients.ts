import { isAbsolute, join } from "node:path";
import { CLIENT_FOLDERS } from "@knack/core/config";
import type { ClientName } from "../client-names.ts";

/** The words of a command: the program and its arguments. */
export type Words = readonly [program: string, ...rest: string[]];

/** A server as a client's file describes it. */
export type ServerEntry = Readonly<Record<string, unknown>>;

/** Whose files these are: paths depend on the user, the environment and the system. */
export interface UserPlace {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** What a client accepts in its file. `comments`: JSON with comments; `jsonc`: with trailing commas too. */
export type Syntax = "json" | "comments" | "jsonc" | "toml";

/** Everything that Knack knows of one client. */
export interface Client {
  /** As its makers write it. */
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
}

export interface Check {
  readonly args: readonly string[];
  /** Found in the output where the client connects; absent where the command only lists the server. */
  readonly connected?: RegExp;
  /** Variables that it needs for this. */
  readonly env?: Readonly<Record<string, string>>;
}

/** `file` in the folder that a variable names, else in `folder` of the home folder. */
function homeOf({ env, home }: UserPlace, variable: string, folder: string, file: string): string {
  const given = env[variable] ?? "";
  return given === "" ? join(home, folder, file) : join(given, file);
}

/** Where programs keep their configuration by the rules of XDG. A relative path there counts as none. */
function configHome({ env, home }: UserPlace): string {
  const given = env.XDG_CONFIG_HOME ?? "";
  return isAbsolute(given) ? given : join(home, ".config");
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
  row: Pick<Client, "programs" | "files" | "http" | "variable" | "pasteInto" | "reads"> & Partial<Client>,
): Client => ({ title, syntax: "jsonc", servers: ["mcpServers"], stdio: entry, ...row });

const AGENTS = ["~/.agents/skills", ".agents/skills"] as const;
const CLAUDE = ["~/.claude/skills", ".claude/skills"] as const;

/** One row a client, in the form that it documents. test/agents/README.md says which versions were tried. */
export const CLIENTS: Readonly<Record<ClientName, Client>> = {
  claude: client(CLIENT_FOLDERS.claude.title, {
    programs: ["claude"],
    // The user's own servers, in every folder. Claude Code refuses to start if the file has a comment.
    files: (place) => [homeOf(place, "CLAUDE_CONFIG_DIR", "", ".claude.json")],
    syntax: "json",
    http: (url, value) => ({ type: "http", url, ...headers(value) }),
    variable: `Bearer \${KNACK_TOKEN}`,
    pasteInto: ".mcp.json in the project",
    adds: "claude mcp add knack --",
    addsHttp: (url) =>
      `claude mcp add --transport http knack ${url} --header "Authorization: Bearer $(knack token add claude --role runner)"`,
    check: { args: ["mcp", "get", "knack"], connected: /Status: \S+ Connected/ },
    reads: CLAUDE,
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
  }),
  copilot: client(CLIENT_FOLDERS.copilot.title, {
    programs: ["copilot"],
    files: (place) => [homeOf(place, "COPILOT_HOME", ".copilot", "mcp-config.json")],
    stdio: (words) => ({ type: "local", ...entry(words), tools: ["*"] }),
    http: (url, value) => ({ type: "http", url, ...headers(value), tools: ["*"] }),
    variable: `Bearer \${KNACK_TOKEN}`,
    pasteInto: "~/.copilot/mcp-config.json",
    check: { args: ["mcp", "get", "knack"] },
    reads: ["~/.copilot/skills", ".github/skills", ".claude/skills", ...AGENTS],
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
    http: (url, value) => ({ url, ...headers(value) }),
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
    http: (url, value) => ({ url, ...headers(value) }),
    // Zed replaces nothing in its settings.
    variable: "Bearer <what knack token add zed --role runner prints>",
    pasteInto: "~/.config/zed/settings.json",
    reads: AGENTS,
  }),
};
