import type { Client } from "./client.ts";

const ALLOW = ["--skip-git-repo-check", "-c", 'mcp_servers.knack.default_tools_approval_mode="approve"'];
const RESUME = ["exec", "resume", "--last", ...ALLOW];

export const codex: Client = {
  name: "codex",
  title: "Codex",
  package: "@openai/codex",
  version: "0.166.0",
  program: { path: "node_modules/@openai/codex/bin/codex.js", isScript: true },
  passesInstructions: true,
  files: (modelUrl) => ({
    ".codex/config.toml": `model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "never"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "${modelUrl}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
`,
  }),
  env: () => ({ SCRIPTED_KEY: "none" }),
  // Codex asks before each tool that changes something; here Knack's own question is meant.
  hookFlags: ["--trust-hooks"],
  callsTool: true,
  bypassTrust: ["--dangerously-bypass-hook-trust"],
  skips: true,
  hookArgs: ["-c", 'sandbox_mode="danger-full-access"'],
  writes: (path, text) => ({
    tool: "apply_patch",
    args: { input: `*** Begin Patch\n*** Add File: ${path}\n+${text}\n*** End Patch\n` },
  }),
  shells: (cmd) => ({ tool: "exec_command", args: { cmd } }),
  delegates: (message) => ({ tool: "spawn_agent", args: { message } }),
  waits: (given) => ({
    tool: "wait_agent",
    args: { targets: [/"agent_id":"([^"]+)"/.exec(given)?.[1]], timeout_ms: 120_000 },
  }),
  args: (prompt) => ["exec", ...ALLOW, prompt],
  plainArgs: (prompt) => ["exec", "--skip-git-repo-check", prompt],
  goesOn: (prompt) => [...RESUME, prompt],
  shortens: [...RESUME, "-c", "model_auto_compact_token_limit=15", "Go on."],
};
