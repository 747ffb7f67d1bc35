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
  writes: (path, text) => ({ tool: "create", args: { path, file_text: text } }),
  args: (prompt) => ["--allow-all-tools", "-p", prompt],
};
