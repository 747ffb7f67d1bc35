import { AsyncLocalStorage } from "node:async_hooks";
import type { Tool } from "@knack/core";
import { type ConfigPlace, homeFolder } from "@knack/core/config";
import type { Role } from "@knack/engine";
import { denied } from "../options.ts";

export interface Caller {
  /** Tells one token from another without revealing it. */
  readonly id: string;
  /** `null`: the user's own token, which has no name. */
  readonly name: string | null;
  readonly role: Role;
}

const current = new AsyncLocalStorage<Caller>();

/** Does `work` for a caller: until its end, also in what it starts, the log names the caller's token. */
export function actFor<T>(caller: Caller, work: () => T): T {
  return current.run(caller, work);
}

function currentCaller(): Caller | undefined {
  return current.getStore();
}

/** The named token for which the current work is done: its holder has no account on this machine. */
export function namedCaller(): Caller | undefined {
  const caller = currentCaller();
  return caller?.name === null ? undefined : caller;
}

/** Whom the log names: the token of the current request, else the program itself. */
export function actorOr(own: string): string {
  const caller = namedCaller();
  return caller ? `token:${caller.name}` : own;
}

const RANK: Readonly<Record<Role, number>> = { reader: 0, runner: 1, approver: 2, owner: 3 };

/** Why a caller may not do something; `undefined` where they may. Outside of a request nobody is refused. */
export function whyRefused(needed: Role, caller: Caller | undefined = currentCaller()): string | undefined {
  if (!caller || RANK[caller.role] >= RANK[needed]) return undefined;
  return `This needs the role ${needed}; your token ${caller.name ?? ""} has the role ${caller.role}. Ask the owner of this server for another token.`;
}

/** Throws where an agent or a skill that Knack started runs this process: a model would confirm then, and no person. */
async function refuseAgents({ env, home }: Pick<ConfigPlace, "env" | "home">): Promise<void> {
  const { isAgentAround } = await import("@knack/core/session");
  const { lineageOf } = await import("@knack/engine");
  if (lineageOf(env).length === 0 && !isAgentAround(env, home)) return;
  throw denied(`An agent that Knack started runs this, and ${PERSON}`);
}

/** Who confirms something now, for the record. Throws where their word does not count. */
export async function confirmer(): Promise<string> {
  const why = whyRefused("approver");
  if (why !== undefined) throw denied(why);
  const { env } = process;
  await refuseAgents({ env, home: homeFolder(env) });
  const { userName } = await import("@knack/engine");
  return currentCaller()?.name ?? userName(env);
}

/** Variables by which agents mark the commands that they run, each with the place where it is set. */
const AGENTS = [
  "CLAUDECODE", // Claude Code: code.claude.com/docs/en/env-vars; its editor extensions set it in their terminals too
  "CODEX_THREAD_ID", // Codex, for every command: codex-rs/protocol/src/shell_environment.rs
  "CODEX_SANDBOX", // Codex in the sandbox of macOS, also before there was CODEX_THREAD_ID: codex-rs/core/src/spawn.rs
  "CURSOR_AGENT", // Cursor: cursor.com/docs/agent/tools/terminal
  "GEMINI_CLI", // Gemini CLI: packages/core/src/services/shellExecutionService.ts
  "QWEN_CODE", // Qwen Code: the same file there
  "OPENCODE", // opencode, and Kilo Code after it: packages/opencode/src/index.ts
  "COPILOT_AGENT", // Copilot in VS Code: toolTerminalCreator.ts
  "COPILOT_CLI", // Copilot CLI, which documents no variable: seen in its commands
  "GOOSE_TERMINAL", // goose: the shell tool of its developer extension
  "CLINE_ACTIVE", // Cline: its page about terminal pagers
  // For any agent: goose, Amp and opencode set the first, VS Code, Crush and pi the second.
  ...["AGENT", "AI_AGENT"],
];

const PERSON =
  'only a person can confirm. Ask the user to do it: in a terminal of their own, or on the page of "knack serve".';

/** The same for a command, which an agent may also have started by itself. */
export async function refuseAgentCommands(place: Pick<ConfigPlace, "env" | "home">): Promise<void> {
  const mark = AGENTS.find((name) => place.env[name]);
  if (mark) throw denied(`An agent runs this command (${mark}), and ${PERSON}`);
  await refuseAgents(place);
}

/**
 * A typed skill for those who may run it. A skill's text may call it (`command_tool`) and so may a prompt, so that looking at
 * the name of the tool that was called is not enough.
 */
export function forRunners<T extends Pick<Tool, "role" | "ready" | "run">>(tool: T): T {
  const check = (): void => {
    const why = whyRefused(tool.role ?? "runner");
    if (why !== undefined) throw denied(why);
  };
  return {
    ...tool,
    ready: async () => {
      check();
      await tool.ready?.();
    },
    run: async (...given: Parameters<Tool["run"]>) => {
      check();
      return tool.run(...given);
    },
  };
}
