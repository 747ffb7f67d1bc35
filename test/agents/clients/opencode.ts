import { type Client, PLATFORM } from "./client.ts";

export const opencode: Client = {
  name: "opencode",
  title: "opencode",
  package: "opencode-ai",
  version: "1.18.33",
  // The package's own program is put in place by an install script, which is not run.
  program: { path: `node_modules/opencode-${PLATFORM}/bin/opencode`, isScript: false },
  passesInstructions: true,
  files: (modelUrl) => ({
    ".config/opencode/opencode.json": JSON.stringify({
      autoupdate: false,
      share: "disabled",
      model: "scripted/scripted",
      small_model: "scripted/scripted",
      enabled_providers: ["scripted"],
      provider: {
        scripted: {
          npm: "@ai-sdk/openai-compatible",
          name: "scripted",
          options: { baseURL: `${modelUrl}/v1`, apiKey: "none" },
          models: { scripted: { name: "scripted", limit: { context: 400_000, output: 16_000 } } },
        },
      },
    }),
  }),
  env: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: "true",
    OPENCODE_DISABLE_MODELS_FETCH: "true",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "true",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "true",
  }),
  writes: (path, content) => ({ tool: "write", args: { filePath: path, content } }),
  shells: (command) => ({ tool: "bash", args: { command } }),
  delegates: (prompt) => ({
    tool: "task",
    args: { prompt, description: "A task", subagent_type: "general" },
  }),
  args: (prompt) => ["run", "--auto", prompt],
  goesOn: (prompt) => ["run", "--auto", "--continue", prompt],
  slashCommand: (name, text) => ["run", "--auto", "--command", `knack:${name}`, "--", ...text.split(" ")],
  slashKeeps: "first second third fourth --fifth=5 sechs & <sieben> last",
};
