import type { Client, Setting } from "./client.ts";

export const codex: Client = {
  name: "codex",
  title: "Codex",
  package: "@openai/codex",
  version: "0.166.0",
  program: { path: "node_modules/@openai/codex/bin/codex.js", isScript: true },
  passesInstructions: true,
  files: (setting) => ({
    ".codex/config.toml": `model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "never"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "${setting.modelUrl}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
${entry(setting)}`,
  }),
  env: () => ({ SCRIPTED_KEY: "none" }),
  // Codex asks before each tool that changes something; here Knack's own question is meant.
  args: (prompt) => ["exec", "--skip-git-repo-check", "-c", ALLOW, prompt],
};

const ALLOW = 'mcp_servers.knack.default_tools_approval_mode="approve"';

function entry({ http, command: [command, ...args] }: Setting): string {
  if (!http)
    return `[mcp_servers.knack]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;
  return `[mcp_servers.knack]\nurl = ${JSON.stringify(http.url)}\nhttp_headers = { Authorization = "Bearer ${http.token}" }\n`;
}
