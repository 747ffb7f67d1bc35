import type { Client } from "./client.ts";

export const pi: Client = {
  name: "pi",
  title: "pi",
  package: "@earendil-works/pi-coding-agent",
  version: "1.5.2",
  needs: ["jiti@2.7.0"],
  program: { path: "package/dist/bundle/cli.js", isScript: true },
  passesInstructions: false,
  files: (modelUrl) => ({
    ".pi/agent/settings.json": JSON.stringify({ compaction: { reserveTokens: 1, keepRecentTokens: 1 } }),
    ".pi/agent/models.json": JSON.stringify({
      providers: {
        scripted: {
          baseUrl: `${modelUrl}/v1`,
          apiKey: "none",
          api: "openai-completions",
          models: [
            { id: "scripted", contextWindow: 400_000, maxTokens: 16_000 },
            { id: "small", contextWindow: 16, maxTokens: 16_000 },
          ],
        },
      },
    }),
  }),
  env: () => ({ PI_OFFLINE: "1", PI_TELEMETRY: "0" }),
  writes: (path, content) => ({ tool: "write", args: { path, content } }),
  shells: (command) => ({ tool: "bash", args: { command } }),
  args: (prompt) => ["--model", "scripted/scripted", "-p", prompt],
  goesOn: (prompt) => ["--model", "scripted/scripted", "--continue", "-p", prompt],
  // A window that is full.
  shortens: ["--model", "scripted/small", "--continue", "-p", "Go on."],
};
