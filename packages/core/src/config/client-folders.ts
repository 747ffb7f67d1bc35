/** Where one client keeps its skills. */
export interface ClientFolders {
  /** As its makers write it. */
  readonly title: string;
  /** In the project, and in each folder between its root and the working directory. */
  readonly project: readonly string[];
  /** In the user's home folder. */
  readonly user: readonly string[];
  /** A variable that replaces the beginning of the user's folders. */
  readonly moved?: { readonly variable: string; readonly replaces: string };
}

/**
 * The folders of other agents in which Knack finds skills too, a row each. The order decides which folder is listed first.
 * docs/skills.md says where each row is documented and when that was checked.
 */
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
  },
  gemini: {
    title: "Gemini CLI",
    project: [".gemini/skills"],
    user: [".gemini/skills"],
    moved: { variable: "GEMINI_CLI_HOME", replaces: "" },
  },
  opencode: {
    title: "opencode",
    project: [".opencode/skills", ".opencode/skill"],
    user: [".config/opencode/skills", ".config/opencode/skill"],
    moved: { variable: "XDG_CONFIG_HOME", replaces: ".config" },
  },
  copilot: {
    title: "GitHub Copilot",
    project: [".github/skills"],
    user: [".copilot/skills"],
    moved: { variable: "COPILOT_HOME", replaces: ".copilot" },
  },
  cursor: {
    title: "Cursor",
    project: [".cursor/skills"],
    user: [".cursor/skills"],
  },
  qwen: {
    title: "Qwen Code",
    project: [".qwen/skills"],
    user: [".qwen/skills"],
    moved: { variable: "QWEN_HOME", replaces: ".qwen" },
  },
  windsurf: {
    title: "Windsurf",
    project: [".windsurf/skills"],
    user: [".codeium/windsurf/skills"],
  },
} as const satisfies Readonly<Record<string, ClientFolders>>;

export type ClientId = keyof typeof CLIENT_FOLDERS;

export const CLIENT_IDS = Object.keys(CLIENT_FOLDERS) as ClientId[];

/** Whose folders are searched. */
export type ClientChoice = "all" | "none" | readonly ClientId[];

export function chosenClients(choice: ClientChoice): readonly ClientId[] {
  if (choice === "all") return CLIENT_IDS;
  return choice === "none" ? [] : CLIENT_IDS.filter((id) => choice.includes(id));
}

/** What both choices have. */
export function sharedClients(a: ClientChoice, b: ClientChoice): ClientId[] {
  return chosenClients(a).filter((id) => chosenClients(b).includes(id));
}
