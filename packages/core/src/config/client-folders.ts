export interface ClientFolders {
  /** As its makers write it. */
  readonly title: string;
  /** In the project, and in each folder between its root and the working directory. */
  readonly project: readonly string[];
  /** In the user's home folder. */
  readonly user: readonly string[];
  /** A variable that replaces the beginning of those folders. */
  readonly moved?: { readonly variable: string; readonly replaces: string };
  /** The client's own skills, in a folder of the user's skills. */
  readonly builtIn?: string;
  /** Folders of extensions in the home, and the files that describe one. */
  readonly extensions?: { readonly folder: string; readonly manifest: string; readonly install: string };
}

const XDG = { variable: "XDG_CONFIG_HOME", replaces: ".config" } as const;

/** Other clients whose skills Knack finds, in the order of listing. test/agents/README.md says how each row was checked. */
export const CLIENT_FOLDERS = {
  claude: {
    title: "Claude Code",
    project: [".claude/skills"],
    user: [".claude/skills"],
    moved: { variable: "CLAUDE_CONFIG_DIR", replaces: ".claude" },
  },
  codex: {
    title: "Codex",
    project: [".codex/skills"],
    user: [".codex/skills"],
    moved: { variable: "CODEX_HOME", replaces: ".codex" },
    builtIn: ".system",
  },
  gemini: {
    title: "Gemini CLI",
    project: [".gemini/skills"],
    user: [".gemini/skills"],
    moved: { variable: "GEMINI_CLI_HOME", replaces: "" },
    extensions: {
      folder: ".gemini/extensions",
      manifest: "gemini-extension.json",
      install: ".gemini-extension-install.json",
    },
  },
  opencode: {
    title: "opencode",
    project: [".opencode/skills", ".opencode/skill"],
    user: [
      ...[".config/opencode/skills", ".config/opencode/skill"],
      ...[".opencode/skills", ".opencode/skill"],
    ],
    moved: XDG,
  },
  copilot: {
    title: "GitHub Copilot",
    project: [".github/skills"],
    user: [".copilot/skills"],
    moved: { variable: "COPILOT_HOME", replaces: ".copilot" },
  },
  cursor: { title: "Cursor", project: [".cursor/skills"], user: [".cursor/skills"] },
  qwen: {
    title: "Qwen Code",
    project: [".qwen/skills"],
    user: [".qwen/skills"],
    moved: { variable: "QWEN_HOME", replaces: ".qwen" },
    extensions: {
      folder: ".qwen/extensions",
      manifest: "qwen-extension.json",
      install: ".qwen-extension-install.json",
    },
  },
  windsurf: { title: "Windsurf", project: [".windsurf/skills"], user: [".codeium/windsurf/skills"] },
  cline: { title: "Cline", project: [".cline/skills", ".clinerules/skills"], user: [".cline/skills"] },
  roo: { title: "Roo Code", project: [".roo/skills"], user: [".roo/skills"] },
  kilo: {
    title: "Kilo Code",
    project: [".kilo/skills", ".kilo/skill", ".kilocode/skills", ".kilocode/skill"],
    user: [".kilo/skills", ".kilocode/skills", ".config/kilo/skills", ".config/kilo/skill"],
    moved: XDG,
  },
  goose: {
    title: "goose",
    project: [".goose/skills"],
    user: [".config/goose/skills", ".config/agents/skills"],
    moved: XDG,
  },
  crush: {
    title: "Crush",
    project: [".crush/skills"],
    user: [".config/crush/skills", ".config/agents/skills"],
    moved: XDG,
  },
  openhands: { title: "OpenHands", project: [".openhands/skills"], user: [".openhands/skills"] },
  continue: { title: "Continue", project: [".continue/skills"], user: [".continue/skills"] },
  vibe: {
    title: "Mistral Vibe",
    project: [".vibe/skills"],
    user: [".vibe/skills"],
    moved: { variable: "VIBE_HOME", replaces: ".vibe" },
  },
  pi: { title: "pi", project: [".pi/skills"], user: [".pi/agent/skills"] },
  kimi: { title: "Kimi CLI", project: [".kimi/skills"], user: [".kimi/skills", ".config/agents/skills"] },
  augment: { title: "Augment", project: [".augment/skills"], user: [".augment/skills"] },
  kiro: { title: "Kiro", project: [".kiro/skills"], user: [".kiro/skills"] },
  antigravity: {
    title: "Antigravity",
    project: [".agent/skills"],
    user: [".gemini/antigravity/skills", ".gemini/antigravity-cli/skills"],
  },
  amp: { title: "Amp", project: [], user: [".config/amp/skills", ".config/agents/skills"] },
  openclaw: {
    title: "OpenClaw",
    project: [],
    user: [".openclaw/skills"],
    moved: { variable: "OPENCLAW_STATE_DIR", replaces: ".openclaw" },
  },
  hermes: { title: "Hermes", project: [], user: [".hermes/skills"] },
  factory: { title: "Factory Droid", project: [".factory/skills"], user: [".factory/skills"] },
} as const satisfies Readonly<Record<string, ClientFolders>>;

export type ClientId = keyof typeof CLIENT_FOLDERS;

export const CLIENT_IDS = Object.keys(CLIENT_FOLDERS) as ClientId[];

export type ClientChoice = "all" | "none" | readonly ClientId[];

export function chosenClients(choice: ClientChoice): readonly ClientId[] {
  if (choice === "all") return CLIENT_IDS;
  return choice === "none" ? [] : CLIENT_IDS.filter((id) => choice.includes(id));
}

export function sharedClients(a: ClientChoice, b: ClientChoice): ClientId[] {
  return chosenClients(a).filter((id) => chosenClients(b).includes(id));
}
