import { join } from "node:path";
import { SkillError } from "@knack/core";
import { quote } from "@knack/core/internal";
import type { InstallPlace } from "./place.ts";

/** Where each client looks for skills: in a project, and in the user's home folder. */
const FOLDERS = {
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

export function clientSkillFolder(client: SkillClient, { scope, base }: Pick<InstallPlace, "scope" | "base">): string {
  const [project, user] = FOLDERS[client];
  return join(base, ...(scope === "project" ? project : user).split("/"));
}

/** The clients of `--for claude,codex`. */
export function readClients(given: readonly string[] | undefined): SkillClient[] {
  const names = (given ?? []).flatMap((text) => text.split(",")).map((text) => text.trim().toLowerCase());
  return [...new Set(names.filter((name) => name !== ""))].map((name) => {
    const client = CLIENTS_WITH_SKILLS.find((one) => one === name);
    if (client) return client;
    throw new SkillError("INVALID_PARAM", `There is no client ${quote(name)}. Name one of: ${CLIENTS_WITH_SKILLS.join(", ")}.`);
  });
}
