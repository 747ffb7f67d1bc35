import { type Client, PLATFORM } from "./client.ts";

const ALLOW = ["--allowedTools", "mcp__knack,Write,Bash,Agent"];

export const claude: Client = {
  name: "claude",
  title: "Claude Code",
  package: "@anthropic-ai/claude-code",
  version: "2.1.325",
  // The package's own link is made by an install script, which is not run.
  program: { path: `node_modules/@anthropic-ai/claude-code-${PLATFORM}/claude`, isScript: false },
  callsTool: true,
  skills: ".claude/skills",
  skips: true,
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
  shells: (command) => ({ tool: "Bash", args: { command, description: "Runs it" } }),
  delegates: (prompt) => ({
    tool: "Agent",
    args: { prompt, description: "A task", subagent_type: "general-purpose", run_in_background: false },
  }),
  args: (prompt) => ["-p", prompt, ...ALLOW],
  goesOn: (prompt) => ["-p", prompt, "--continue", ...ALLOW],
  shortens: ["-p", "/compact", "--continue"],
  slashCommand: (name, text) => ["-p", `/mcp__knack__${name} ${text}`, "--allowedTools", "mcp__knack"],
  slashKeeps: "first",
  slashBeside: (text) => `<command-args>${text}</command-args>`,
};
