import { type Client, PLATFORM } from "./client.ts";

export const claude: Client = {
  name: "claude",
  title: "Claude Code",
  package: "@anthropic-ai/claude-code",
  version: "2.1.325",
  // The package's own link is made by an install script, which is not run.
  program: { path: `node_modules/@anthropic-ai/claude-code-${PLATFORM}/claude`, isScript: false },
  passesInstructions: true,
  files: () => ({ ".claude.json": JSON.stringify({ hasCompletedOnboarding: true }) }),
  env: (modelUrl) => ({
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: "none",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
  }),
  writes: (path, content) => ({ tool: "Write", args: { file_path: path, content } }),
  resumes: {
    id: (id) => ["--session-id", id],
    again: (id) => ["--resume", id],
    compact: "/compact",
  },
  args: (prompt) => ["-p", prompt, "--allowedTools", "mcp__knack,Write"],
  slashCommand: (name, text) => ["-p", `/mcp__knack__${name} ${text}`, "--allowedTools", "mcp__knack"],
  slashKeeps: "first",
  slashBeside: (text) => `<command-args>${text}</command-args>`,
};
