import type { Client, Setting } from "./client.ts";

export const qwen: Client = {
  name: "qwen",
  title: "Qwen Code",
  package: "@qwen-code/qwen-code",
  version: "0.24.4",
  program: { path: "node_modules/.bin/qwen", isScript: true },
  passesInstructions: true,
  files: (setting) => ({
    ".qwen/settings.json": JSON.stringify({
      general: { disableAutoUpdate: true, enableAutoUpdate: false },
      security: { auth: { selectedType: "openai" } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      mcpServers: { knack: entry(setting) },
    }),
  }),
  env: ({ modelUrl }) => ({
    OPENAI_API_KEY: "none",
    OPENAI_BASE_URL: `${modelUrl}/v1`,
    OPENAI_MODEL: "qwen3-coder-plus",
  }),
  args: (prompt) => ["--auth-type", "openai", "--yolo", "-p", prompt],
  slashCommand: (name, text) => ["--auth-type", "openai", "--yolo", "-p", `/${name} ${text}`],
  slashKeeps: "first second third fourth sechs & <sieben> last",
};

function entry({ http, command: [command, ...args] }: Setting): object {
  if (!http) return { command, args };
  return { httpUrl: http.url, headers: { Authorization: `Bearer ${http.token}` } };
}
