import { isRecord, parseJson } from "@knack/core/text";
import { HOOK_CLIENT_NAMES, type HOOK_EVENTS } from "../client-names.ts";

/** A client waits 5 s and then goes on: after this time nothing is said. A slow machine may need more. */
export const HOOK_LIMIT_MS = Math.min(Math.max(Number(process.env.KNACK_HOOK_LIMIT_MS), 0), 600_000) || 3_000;

export type HookEvent = (typeof HOOK_EVENTS)[number];

/** One call of a hook, whichever client made it. */
export interface HookCall {
  readonly event: HookEvent;
  readonly client: HookClient;
  /** The client's own id of the conversation; empty where it gives none. */
  readonly conversation: string;
  /** The subagent that it is about; empty for the conversation itself. */
  readonly agent: string;
  readonly cwd: string;
  readonly prompt: string;
  /** Why a session begins: `startup`, `resume`, `clear`, `compact`. */
  readonly source: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What the client is to do: let the model read a text, or refuse a call of a tool. Neither: nothing. */
export interface HookAnswer {
  readonly text?: string | undefined;
  readonly refuse?: string | undefined;
}

interface HookRow {
  /** How its MCP client calls itself. */
  readonly server: RegExp;
  /** The variable in which its servers find the id of the conversation. */
  readonly variable?: string;
  /** Its servers are not told which conversation they serve: they find it by the process that started them and the hooks. */
  readonly isFoundByProcess?: true;
  /** It escapes `<` and `>`, so that a skill's text would arrive damaged: such a client gets a pointer. */
  readonly escapes?: true;
  /** It does not give a server's instructions to the model, so that the list comes by a hook. */
  readonly needsList?: true;
  /** When it shortens a conversation it takes no text: what is lost comes with the next prompt. */
  readonly takesLater?: true;
  readonly answer: (event: HookEvent, answer: HookAnswer) => object;
}

/** Claude Code's form, which Codex and Qwen Code have taken over. */
const NATIVE = {
  prompt: "UserPromptSubmit",
  session: "SessionStart",
  subagent: "SubagentStart",
  tool: "PreToolUse",
  after: "PostToolUse",
  stop: "Stop",
} as const satisfies Record<HookEvent, string>;

const asClaude: HookRow["answer"] = (event, { text, refuse }) => ({
  hookSpecificOutput: {
    hookEventName: NATIVE[event],
    ...(refuse === undefined
      ? { additionalContext: text }
      : { permissionDecision: "deny", permissionDecisionReason: refuse }),
  },
});
const asCopilot: HookRow["answer"] = (_event, { text, refuse }) =>
  refuse === undefined
    ? { additionalContext: text }
    : { permissionDecision: "deny", permissionDecisionReason: refuse };
const asGemini: HookRow["answer"] = (_event, { text, refuse }) =>
  refuse === undefined
    ? { hookSpecificOutput: { additionalContext: text } }
    : { decision: "deny", reason: refuse };
/** For the plugins that Knack writes itself. */
const asIs: HookRow["answer"] = (_event, { text, refuse }) => (refuse === undefined ? { text } : { refuse });

/** One row a client that runs hooks. test/agents/README.md says which versions were tried. */
export const HOOK_CLIENTS: Readonly<Record<HookClient, HookRow>> = {
  claude: { server: /^claude/i, variable: "CLAUDE_CODE_SESSION_ID", answer: asClaude },
  codex: { server: /^codex/i, answer: asClaude },
  copilot: {
    server: /copilot/i,
    variable: "COPILOT_AGENT_SESSION_ID",
    needsList: true,
    takesLater: true,
    answer: asCopilot,
  },
  gemini: { server: /gemini/i, isFoundByProcess: true, escapes: true, answer: asGemini },
  qwen: { server: /qwen/i, variable: "QWEN_CODE_SESSION_ID", escapes: true, answer: asClaude },
  opencode: { server: /opencode/i, isFoundByProcess: true, answer: asIs },
  pi: { server: /^pi\b/i, isFoundByProcess: true, takesLater: true, answer: asIs },
};

export type HookClient = (typeof HOOK_CLIENT_NAMES)[number];

/** Which client a server's client is, by the name that it gives itself. */
export function clientNamed(name: string): HookClient | undefined {
  return HOOK_CLIENT_NAMES.find((client) => HOOK_CLIENTS[client].server.test(name));
}

/** What each client calls the fields that Knack reads: all names are tried, because no client means something else by one. */
const FIELDS = {
  conversation: ["session_id", "sessionId", "session"],
  agent: ["agent_id", "agentId", "agent"],
  cwd: ["cwd"],
  prompt: ["prompt"],
  source: ["source"],
  tool: ["tool_name", "toolName", "tool"],
} as const;

const MAX_ID = 200;

/** A call as a client describes it; what is missing or of another kind is empty. */
export function readCall(event: HookEvent, client: HookClient, given: unknown): HookCall {
  const fields = isRecord(given) ? given : {};
  const texts = Object.entries(FIELDS).map(([key, names]) => {
    const found = names
      .map((name) => fields[name])
      .find((value) => typeof value === "string" && value !== "");
    // What is noted and recorded of an id is short, whoever sends it.
    return [key, /^(?:conversation|agent)$/.test(key) ? String(found ?? "").slice(0, MAX_ID) : (found ?? "")];
  });
  const args = [fields.tool_input, fields.toolArgs, fields.args].map(recordOf).find(Boolean) ?? {};
  const read = Object.fromEntries(texts) as Record<keyof typeof FIELDS, string>;
  // Copilot CLI says who has asked for it.
  const isCompaction = event === "session" && typeof fields.trigger === "string";
  // It gives a subagent a session of its own.
  const { parentAgentId: parent } = fields;
  return {
    ...{ event, client, args, ...read },
    ...(isCompaction ? { source: "compact" } : {}),
    ...(typeof parent === "string" && parent !== "" ? { conversation: parent.slice(0, MAX_ID) } : {}),
  };
}

/** Claude Code hands objects to an MCP tool as JSON, Copilot CLI to a command; a patch may be a text of its own. */
function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const read = typeof value === "string" ? parseJson(value) : value;
  if (isRecord(read) && !(read instanceof Error)) return read;
  return typeof value === "string" && value !== "" ? { input: value } : undefined;
}

/** The answer as the client reads it; empty where there is nothing to say. */
export function writeAnswer({ event, client }: HookCall, answer: HookAnswer): string {
  if (!answer.text && answer.refuse === undefined) return "";
  // Half of a pair, where a description was cut, is an error to the JSON parsers of some clients.
  const [text, refuse] = [answer.text?.toWellFormed(), answer.refuse?.toWellFormed()];
  return JSON.stringify(HOOK_CLIENTS[client].answer(event, { text, refuse }));
}

/** The name of one of Knack's own tools, as the client calls it. */
export function ownTool(tool: string): string | undefined {
  return /^(?:mcp__?)?knack(?:__|_|-)(\w+)$/i.exec(tool)?.[1];
}

/** What a client itself put before the words of its user, or in their place. */
const ADDED = ["hook_context", "system_reminder"];

/** Without the blocks of a tag, in linear time. */
function without(text: string, tag: string): string {
  const kept: string[] = [];
  let at = 0;
  for (;;) {
    const begin = text.indexOf(`<${tag}>`, at);
    const end = begin < 0 ? -1 : text.indexOf(`</${tag}>`, begin);
    if (end < 0) return kept.join("") + text.slice(at);
    kept.push(text.slice(at, begin));
    at = end + tag.length + 3;
  }
}

/** What a person, or an agent for its subagent, has asked for; empty where nobody asked anything. */
export function askedIn({ prompt }: HookCall): string {
  const asked = ADDED.reduce(without, prompt).trim();
  // A slash is a command of the client; a task that ended in the background is news, not a request.
  return /^(?:\/\w|<task-notification>)/.test(asked) ? "" : asked;
}
