import type { Way } from "../way.ts";
import { ask } from "./ask.ts";

/** A skill that a client lists. A plugin's name may stand before a colon. */
export interface Listed {
  readonly name: string;
  /** Its folder or file, if the client says it. */
  readonly path?: string;
}

/** Built-in skills included. */
type Listing = (way: Way, cwd: string) => Promise<readonly Listed[]>;

/** How each client is asked for its skills. None of them needs a model for that. */
export const LISTINGS: Readonly<Record<string, Listing>> = {
  claude: (way, cwd) =>
    firstMessage(way, cwd, ["-p", "hi", "--output-format", "stream-json", "--verbose"], "skills"),
  qwen: (way, cwd) =>
    firstMessage(
      way,
      cwd,
      ["hi", "--auth-type", "openai", "--output-format", "stream-json"],
      "slash_commands",
    ),
  codex: async (way, cwd) => {
    const answer = await ask(way, {
      args: ["app-server"],
      cwd,
      input: [
        { id: 1, method: "initialize", params: { clientInfo: { name: "knack", version: "1" } } },
        { method: "initialized" },
        { id: 2, method: "skills/list", params: { cwds: [way.folder.at(cwd)], forceReload: true } },
      ].map((message) => JSON.stringify(message)),
      isAnswer: (line) => line.startsWith("{") && JSON.parse(line).id === 2,
    });
    const { result } = JSON.parse(answer) as { result: { data: { skills: Listed[] }[] } };
    return result.data.flatMap(({ skills }) => skills);
  },
  gemini: async (way, cwd) => {
    const text = await ask(way, { args: ["skills", "list"], cwd });
    const found = text.matchAll(/^(\S+) \[Enabled\][\s\S]*?^ +Location: +(.+)$/gm);
    return [...found].map(([, name = "", path = ""]) => ({ name, path }));
  },
  opencode: async (way, cwd) => {
    const list = JSON.parse(await ask(way, { args: ["debug", "skill"], cwd })) as {
      name: string;
      location: string;
    }[];
    return list.map(({ name, location }) => ({ name, path: location }));
  },
  copilot: async (way, cwd) =>
    JSON.parse(await ask(way, { args: ["skill", "list", "--json"], cwd })) as Listed[],
};

async function firstMessage(way: Way, cwd: string, args: readonly string[], key: string): Promise<Listed[]> {
  const line = await ask(way, { args, cwd, isAnswer: (text) => text.includes('"subtype":"init"') });
  const names = (JSON.parse(line) as Record<string, string[]>)[key] ?? [];
  return names.map((name) => ({ name }));
}
