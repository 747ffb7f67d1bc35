import { resolve } from "node:path";
import type { GlobalOptions } from "../cli/options.ts";
import { note, print, printJson } from "../cli/output.ts";
import { visiblePath } from "../cli/visible.ts";

export type Client = "claude" | "codex" | "gemini" | "opencode" | "vscode" | "cursor";

interface Format {
  /** Where it is pasted into. */
  readonly file: string;
  readonly config: (args: readonly string[]) => Record<string, unknown>;
  readonly text?: (args: readonly string[]) => string;
}

const mcpServers = (args: readonly string[]) => ({ mcpServers: { knack: { command: "knack", args } } });

const FORMATS: Readonly<Record<Client, Format>> = {
  claude: { file: ".mcp.json in the project, or run: claude mcp add knack -- knack mcp", config: mcpServers },
  codex: {
    file: "~/.codex/config.toml",
    config: (args) => ({ mcp_servers: { knack: { command: "knack", args } } }),
    text: (args) => `[mcp_servers.knack]\ncommand = "knack"\nargs = ${tomlList(args)}`,
  },
  gemini: { file: "~/.gemini/settings.json, or .gemini/settings.json in the project", config: mcpServers },
  opencode: {
    file: "opencode.json in the project, or ~/.config/opencode/opencode.json",
    config: (args) => ({
      $schema: "https://opencode.ai/config.json",
      mcp: { knack: { type: "local", command: ["knack", ...args], enabled: true } },
    }),
  },
  vscode: {
    file: ".vscode/mcp.json in the project",
    config: (args) => ({ servers: { knack: { type: "stdio", command: "knack", args } } }),
  },
  cursor: { file: "~/.cursor/mcp.json, or .cursor/mcp.json in the project", config: mcpServers },
};

/** Prints what makes a client start `knack mcp`, and says where it goes. */
export function printConfig(client: Client, options: GlobalOptions): void {
  const { file, config, text } = FORMATS[client];
  const args = ["mcp", ...(options.cwd === undefined ? [] : ["--cwd", resolve(options.cwd)])];
  if (options.json) {
    printJson({ client, file, config: config(args) });
    return;
  }
  note(`For ${client}, into ${file}:`);
  print(visiblePathLines(text?.(args) ?? JSON.stringify(config(args), null, 2)));
}

/** TOML's basic strings escape as JSON's do. */
function tomlList(words: readonly string[]): string {
  return `[${words.map((word) => JSON.stringify(word)).join(", ")}]`;
}

function visiblePathLines(text: string): string {
  return text.split("\n").map(visiblePath).join("\n");
}
