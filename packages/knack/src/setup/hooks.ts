import { join } from "node:path";
import { isRecord } from "@knack/core/text";
import { HOOK_TOOL } from "../client-names.ts";
import type { HookClient, HookEvent } from "../hook/hook-clients.ts";
import { quoteWords } from "../terminal/visible.ts";
import {
  configHome,
  homeOf,
  type ServerEntry,
  type Syntax,
  type UserPlace,
  type Words,
} from "./client-file.ts";
import { OPENCODE_PLUGIN, PI_EXTENSION } from "./hook-sources.ts";
import type { Member } from "./plan-change.ts";

/** What a client calls an event, and the tools or causes for which it asks; without them, for all. */
interface Asked {
  readonly name: string;
  readonly matcher?: string;
  /** A second event with the same hook. */
  readonly also?: string;
}

/** How a client's hook reaches Knack: a tool of the server that runs anyway, or a command of its own. */
export type HookForm = "tool" | "command";

/** Where a client's hooks stand, and in which form. Only clients that were run with them have a row. */
export interface HookSetup {
  readonly file: (place: UserPlace) => string;
  readonly syntax: Syntax;
  readonly events: Readonly<Partial<Record<HookEvent, Asked>>>;
  /** The first version that was seen to call a tool. An older one may refuse its whole file for a hook that it does not know. */
  readonly callsToolSince?: string;
  /** One entry of an event's list; absent where the file is a program of ours. */
  readonly entry?: (asked: Asked, hook: HookCall) => ServerEntry;
  /** The whole file, where it is a program of ours. */
  readonly source?: (words: Words) => string;
  /** What a new file has besides. */
  readonly preamble?: ServerEntry;
  /** What the user still has to do. */
  readonly todo?: string;
}

export interface HookCall {
  readonly client: HookClient;
  readonly event: HookEvent;
  readonly form: HookForm;
  /** The words before the event. */
  readonly words: Words;
  /** The words behind the client. */
  readonly more: readonly string[];
}

/** What each hook is for, as a person is told. */
export const HOOK_PURPOSES: Readonly<Record<HookEvent, string>> = {
  prompt: "puts the skill that fits a prompt before the model",
  session: "gives the skills again that a shortened conversation has lost",
  subagent: "does the same for a subagent's task",
  tool: "asks your gates before a write or a command",
  after: "notes it in the log afterwards",
  stop: "notes the end of a turn in the log",
};

/** Clients wait this long for a hook, and then go on. Knack itself gives up before. */
const LIMIT_S = 5;

/** The program is looked for first: a Knack that is gone must not fail, because then some clients erase the prompt. */
function condition([program, launcher]: Words): string {
  const isThere = `command -v ${quoteWords([program])} >/dev/null 2>&1`;
  return launcher === undefined ? isThere : `${isThere} && [ -r ${quoteWords([launcher])} ]`;
}

function line({ client, event, words, more }: HookCall): string {
  return quoteWords([...words, "hook", event, "--client", client, ...more]);
}

const guarded = (hook: HookCall): string =>
  `if ${condition(hook.words)}; then ${line(hook)} 2>/dev/null || exit 0; fi`;

/** The time limit of Gemini CLI ends only the shell, which must end Knack then; and any end but 0 could erase the prompt. */
const watched = (hook: HookCall): string => {
  const [, launcher] = hook.words;
  const given = condition(hook.words);
  const isThere = launcher === undefined ? given : `{ ${given}; }`;
  return `${isThere} || exit 0; exec 3<&0; ${line(hook)} <&3 & p=$!; trap 'kill $p' TERM INT; wait $p; exit 0`;
};

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the client fills them in
/** What a client fills in. Codex fails a hook for a field that is not there, so each event names its own alone. */
const INPUTS: Readonly<Record<HookEvent, Readonly<Record<string, string>>>> = {
  prompt: { prompt: "${prompt}", cwd: "${cwd}" },
  session: { source: "${source}" },
  subagent: { agent: "${agent_id}" },
  tool: { agent: "${agent_id}", tool: "${tool_name}", args: "${tool_input}" },
  after: { agent: "${agent_id}", tool: "${tool_name}" },
  stop: {},
};
const SESSION = "${session_id}";
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the client fills them in

function toolCall({ event, client }: HookCall): ServerEntry {
  const { agent, ...others } = INPUTS[event];
  // In the main conversation of Codex there is no agent_id.
  const fields = agent === undefined || client === "codex" ? others : { agent, ...others };
  return {
    type: "mcp_tool",
    server: "knack",
    tool: HOOK_TOOL,
    timeout: LIMIT_S,
    input: { event, session: SESSION, ...fields },
  };
}

const group = ({ matcher }: Asked, hook: ServerEntry): ServerEntry => ({
  ...(matcher === undefined ? {} : { matcher }),
  hooks: [hook],
});

const asClaude: HookSetup["entry"] = (asked, hook) =>
  group(
    asked,
    hook.form === "tool" ? toolCall(hook) : { type: "command", command: guarded(hook), timeout: LIMIT_S },
  );

const NAMES: Partial<Record<HookEvent, string>> = {
  prompt: "knack-prompt",
  tool: "knack-gate",
  after: "knack-log",
};

const GEMINI_TOOLS = "write_file|replace|run_shell_command";
const QWEN_TOOLS = "write_file|edit|run_shell_command";
const CLAUDE_TOOLS = "Write|Edit|MultiEdit|NotebookEdit|Bash|Agent";
const CODEX_TOOLS = "Bash|apply_patch";
/** Where a conversation has lost what was loaded. At startup and resume nothing is missing: the server's instructions have the list. */
const LOST = "compact|clear";

/** The events of Claude Code, which Codex and Qwen Code have taken over. */
const eventsOfClaude = (tools: string) => ({
  prompt: { name: "UserPromptSubmit" },
  session: { name: "SessionStart", matcher: LOST },
  tool: { name: "PreToolUse", matcher: tools },
  after: { name: "PostToolUse", matcher: tools },
  stop: { name: "Stop" },
});

/** One row a client. The forms and the events are those that were seen to work. */
export const HOOK_SETUPS: Readonly<Record<HookClient, HookSetup>> = {
  claude: {
    file: (place) => homeOf(place, "CLAUDE_CONFIG_DIR", ".claude", "settings.json"),
    syntax: "json",
    callsToolSince: "2.1.325",
    events: { ...eventsOfClaude(CLAUDE_TOOLS), subagent: { name: "SubagentStart" } },
    entry: asClaude,
  },
  codex: {
    file: (place) => homeOf(place, "CODEX_HOME", ".codex", "hooks.json"),
    syntax: "json",
    callsToolSince: "0.166.0",
    // A subagent's task is a prompt too.
    events: eventsOfClaude(CODEX_TOOLS),
    entry: asClaude,
    todo: 'Codex runs no hook before you trust it: start codex and type /hooks, or run "knack setup codex --trust-hooks".',
  },
  copilot: {
    file: (place) => homeOf(place, "COPILOT_HOME", ".copilot", "hooks/knack.json"),
    syntax: "json",
    preamble: { version: 1 },
    // It has no matchers, a subagent's task is a prompt too, and the list of skills comes at the start of a session.
    events: {
      prompt: { name: "userPromptSubmitted" },
      session: { name: "sessionStart", also: "preCompact" },
      tool: { name: "preToolUse" },
      after: { name: "postToolUse" },
    },
    entry: (_asked, hook) => ({ type: "command", bash: guarded(hook), timeoutSec: LIMIT_S }),
  },
  gemini: {
    file: (place) => homeOf(place, "GEMINI_CLI_HOME", "", ".gemini/settings.json"),
    syntax: "comments",
    // What its SessionStart says comes back as a part of the prompt.
    events: {
      prompt: { name: "BeforeAgent" },
      tool: { name: "BeforeTool", matcher: GEMINI_TOOLS },
      after: { name: "AfterTool", matcher: GEMINI_TOOLS },
    },
    entry: (asked, hook) =>
      group(asked, {
        type: "command",
        name: NAMES[hook.event],
        command: watched(hook),
        timeout: LIMIT_S * 1000,
      }),
  },
  qwen: {
    file: (place) => homeOf(place, "QWEN_HOME", ".qwen", "settings.json"),
    syntax: "comments",
    events: eventsOfClaude(QWEN_TOOLS),
    entry: (asked, hook) =>
      group(asked, { type: "command", command: guarded(hook), timeout: LIMIT_S * 1000 }),
  },
  opencode: {
    file: (place) => join(configHome(place), "opencode/plugin/knack.js"),
    syntax: "source",
    events: {
      prompt: { name: "chat.message" },
      session: { name: "session.compacted" },
      tool: { name: "tool.execute.before" },
      after: { name: "tool.execute.after" },
    },
    source: OPENCODE_PLUGIN,
    todo: "opencode installs a package of its own for its first plugin when it starts next; that needs the network once.",
  },
  pi: {
    file: (place) => homeOf(place, "PI_CODING_AGENT_DIR", ".pi/agent", "extensions/knack.ts"),
    syntax: "source",
    events: {
      prompt: { name: "before_agent_start" },
      session: { name: "session_compact" },
      tool: { name: "tool_call" },
      after: { name: "tool_result" },
    },
    source: PI_EXTENSION,
  },
};

/** What a hook of ours runs, in the present form and in every earlier one. */
const RUNS_KNACK = /\bknack\b[\s\S]*?['" ]hook['" ]/;

/** Whether an entry of a list of hooks is Knack's: a hook that runs it, or a group of such hooks alone. */
export function isOurHook(entry: unknown): boolean {
  if (!isRecord(entry)) return false;
  const { hooks, type, server } = entry;
  if (Array.isArray(hooks)) return hooks.length > 0 && hooks.every(isOurHook);
  if (type === "mcp_tool") return server === "knack";
  return [entry.command, entry.bash, entry.powershell].some(
    (run) => typeof run === "string" && RUNS_KNACK.test(run),
  );
}

const HOLDER = "hooks";
const OWN_FILE = { path: [], key: "knack" };

const memberOf = (event: string, value: ServerEntry): Member => ({
  path: [HOLDER, event],
  key: "knack",
  isOurs: isOurHook,
  value,
});

const namesOf = ({ name, also }: Asked): string[] => (also === undefined ? [name] : [name, also]);

export function hookMembers(
  { events, entry, source }: HookSetup,
  how: Pick<HookCall, "client" | "form" | "words" | "more">,
): Member[] {
  if (source) return [{ ...OWN_FILE, value: source([...how.words, "hook", ...how.more]) }];
  return (Object.entries(events) as [HookEvent, Asked][]).flatMap(([event, asked]) =>
    namesOf(asked).map((name) => memberOf(name, entry?.(asked, { ...how, event }) ?? {})),
  );
}

/** All hooks of Knack that are there, of whatever version; and those of this one, which could be. */
export function knownHooks({ events, source }: HookSetup, document: ServerEntry): Member[] {
  if (source) return [{ ...OWN_FILE, value: {} }];
  const there = isRecord(document[HOLDER]) ? Object.keys(document[HOLDER]) : [];
  const names = new Set([...Object.values(events).flatMap(namesOf), ...there]);
  return [...names].map((name) => memberOf(name, {}));
}
