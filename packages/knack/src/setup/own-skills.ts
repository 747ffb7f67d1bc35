import { CLIENT_FOLDERS } from "@knack/core/internal";
import type { Client } from "../mcp/client-config/client.ts";

/** Folders in which Knack looks too. */
const ALSO_KNACK: ReadonlySet<string> = new Set([
  ...["~/.agents/skills", ".agents/skills"],
  ...Object.values(CLIENT_FOLDERS).flatMap(({ project, user }) => [
    ...project,
    ...user.map((path) => `~/${path}`),
  ]),
]);

/** What a client finds without Knack, so that nobody wonders about skills that are listed twice. */
export function ownSkills({ title, reads }: Client): string {
  const twice = reads.filter((folder) => ALSO_KNACK.has(folder));
  const line = `${title} reads the skills in ${listed(reads)} by itself`;
  if (twice.length === 0) return `${line}.`;
  const which = twice.length === reads.length ? "they" : `those in ${listed(twice)}`;
  return `${line}; ${which} are listed twice, by ${title} and by Knack.`;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
