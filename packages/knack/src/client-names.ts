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
] as const;

export type ClientName = (typeof CLIENT_NAMES)[number];
