/** The clients that Knack can set up, as a person names them. What is known of each is in `setup/clients.ts`. */
export const CLIENT_NAMES = [
  "claude",
  "codex",
  "gemini",
  "opencode",
  "copilot",
  "qwen",
  "vscode",
  "cursor",
  "windsurf",
  "zed",
  "pi",
  "antigravity",
  "amp",
  "openclaw",
  "cline",
  "kiro",
] as const;

export type ClientName = (typeof CLIENT_NAMES)[number];

/** The clients whose hooks Knack answers, and what may happen in one. `hook/hook-clients.ts` has the rest. */
export const HOOK_CLIENT_NAMES = ["claude", "codex", "copilot", "gemini", "qwen", "opencode", "pi"] as const;
export const HOOK_EVENTS = ["prompt", "session", "subagent", "tool", "after", "stop"] as const;

/**
 * A tool that `tools/list` does not name, so that it costs no model a token: a client's hook calls it in the server that runs
 * anyway, and reads its text as the output of a command.
 */
export const HOOK_TOOL = "hook";
