import type { Client } from "./client.ts";

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
  hookArgs: ["--sandbox", "danger-full-access"],
  writes: (path, text) => ({
    tool: "exec_command|shell_command",
    args: { cmd: `printf '%s' '${text}' > ${path}`, command: `printf '%s' '${text}' > ${path}` },
  }),
  args: (prompt) => ["exec", "--skip-git-repo-check", "-c", ALLOW, prompt],
};

const ALLOW = 'mcp_servers.knack.default_tools_approval_mode="approve"';
