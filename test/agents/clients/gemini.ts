import type { Client } from "./client.ts";

export const gemini: Client = {
  name: "gemini",
  title: "Gemini CLI",
  package: "@google/gemini-cli",
  version: "0.61.0",
  program: { path: "node_modules/.bin/gemini", isScript: true },
  passesInstructions: true,
  files: () => ({
    ".gemini/settings.json": JSON.stringify({
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      security: { auth: { selectedType: "gemini-api-key" } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      // After 30 calls it would ask a model whether they are a loop, and the scripted one does not judge.
      model: { disableLoopDetection: true },
    }),
  }),
  env: (modelUrl) => ({
    GEMINI_API_KEY: "none",
    GOOGLE_GEMINI_BASE_URL: modelUrl,
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  }),
  pointsOnly: true,
  hearsNoTask: true,
  writes: (path, content) => ({ tool: "write_file", args: { file_path: path, content } }),
  shells: (command) => ({ tool: "run_shell_command", args: { command } }),
  delegates: (prompt) => ({ tool: "invoke_agent", args: { prompt, agent_name: "generalist" } }),
  args: (prompt) => ["-m", "gemini-2.5-pro", "--yolo", "-p", prompt],
  goesOn: (prompt) => ["-m", "gemini-2.5-pro", "--yolo", "--resume", "latest", "-p", prompt],
  shortens: ["-m", "gemini-2.5-pro", "--yolo", "--resume", "latest", "-p", "/compress"],
  slashCommand: (name, text) => ["-m", "gemini-2.5-pro", "--yolo", "-p", `/${name} ${text}`],
  slashKeeps: "first second third fourth sechs & <sieben> last",
};
