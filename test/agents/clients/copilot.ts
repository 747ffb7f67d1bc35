import type { Client } from "./client.ts";

export const copilot: Client = {
  name: "copilot",
  title: "Copilot CLI",
  package: "@github/copilot",
  version: "1.0.102",
  program: { path: "node_modules/.bin/copilot", isScript: true },
  passesInstructions: false,
  files: () => ({}),
  env: (modelUrl) => ({
    COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
    COPILOT_PROVIDER_API_KEY: "none",
    COPILOT_MODEL: "gpt-5.4",
    COPILOT_OFFLINE: "true",
    COPILOT_AUTO_UPDATE: "false",
  }),
  writes: (path, text) => ({
    tool: "apply_patch",
    args: { input: `*** Begin Patch\n*** Add File: ${path}\n+${text}\n*** End Patch\n` },
  }),
  shells: (command) => ({ tool: "bash", args: { command, description: "Runs it" } }),
  delegates: (prompt) => ({
    tool: "task",
    args: { prompt, name: "task", description: "A task", agent_type: "general-purpose", mode: "sync" },
  }),
  args: (prompt) => ["--allow-all-tools", "-p", prompt],
  goesOn: (prompt) => ["--allow-all-tools", "--continue", "-p", prompt],
  shortens: ["--allow-all-tools", "--continue", "-p", "/compact"],
};
