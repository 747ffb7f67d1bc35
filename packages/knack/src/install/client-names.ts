/** Where each client looks for skills: in a project, and in the user's home folder. */
export const FOLDERS = {
  claude: [".claude/skills", ".claude/skills"],
  codex: [".codex/skills", ".codex/skills"],
  gemini: [".gemini/skills", ".gemini/skills"],
  opencode: [".opencode/skills", ".config/opencode/skills"],
  copilot: [".github/skills", ".copilot/skills"],
  cursor: [".cursor/skills", ".cursor/skills"],
  qwen: [".qwen/skills", ".qwen/skills"],
  windsurf: [".windsurf/skills", ".codeium/windsurf/skills"],
} as const satisfies Readonly<Record<string, readonly [project: string, user: string]>>;

export type SkillClient = keyof typeof FOLDERS;

export const CLIENTS_WITH_SKILLS = Object.keys(FOLDERS) as SkillClient[];
