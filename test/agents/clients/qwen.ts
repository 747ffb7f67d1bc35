import type { Client } from "./client.ts";

export const qwen: Client = {
  name: "qwen",
  title: "Qwen Code",
  package: "@qwen-code/qwen-code",
  version: "0.24.4",
  program: { path: "node_modules/.bin/qwen", isScript: true },
  passesInstructions: true,
  files: () => ({
    ".qwen/settings.json": JSON.stringify({
      general: { disableAutoUpdate: true, enableAutoUpdate: false },
      security: { auth: { selectedType: "openai" } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    }),
  }),
  env: (modelUrl) => ({
    OPENAI_API_KEY: "none",
    OPENAI_BASE_URL: `${modelUrl}/v1`,
    OPENAI_MODEL: "qwen3-coder-plus",
  }),
  pointsOnly: true,
  hearsNoTask: true,
  writes: (path, content) => ({ tool: "write_file", args: { file_path: path, content } }),
  shells: (command) => ({ tool: "run_shell_command", args: { command, is_background: false } }),
  delegates: (prompt) => ({
    tool: "agent",
    args: { prompt, description: "A task", subagent_type: "general-purpose" },
  }),
  args: (prompt) => ["--auth-type", "openai", "--yolo", "-p", prompt],
  goesOn: (prompt) => ["--auth-type", "openai", "--yolo", "--continue", "-p", prompt],
  shortens: ["--auth-type", "openai", "--yolo", "--continue", "-p", "/compress"],
  slashCommand: (name, text) => ["--auth-type", "openai", "--yolo", "-p", `/${name} ${text}`],
  slashKeeps: "first second third fourth sechs & <sieben> last",
};
