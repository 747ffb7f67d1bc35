import { realpathSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import { SkillError } from "@knack/core";
import { findProgram } from "@knack/core/internal";
import type { GlobalOptions } from "../../options.ts";
import { note, print, printJson } from "../../terminal/output.ts";
import { safeJson, visiblePath } from "../../terminal/visible.ts";
import { type Client, HTTP_FORMATS, tokenRemark } from "./http-config.ts";

type Words = readonly [program: string, ...rest: string[]];

interface Format {
  /** Where it is pasted into. */
  readonly file: string;
  /** The client's own command that does the same. */
  readonly adds?: string;
  readonly remark?: string;
  readonly config: (command: Words) => Record<string, unknown>;
  readonly text?: (command: Words) => string;
}

const entry = ([command, ...args]: Words) => ({ command, args });
const mcpServers = (words: Words) => ({ mcpServers: { knack: entry(words) } });

const FORMATS: Readonly<Record<Client, Format>> = {
  claude: { file: ".mcp.json in the project", adds: "claude mcp add knack --", config: mcpServers },
  codex: {
    file: "~/.codex/config.toml, or .codex/config.toml in the project",
    adds: "codex mcp add knack --",
    config: (words) => ({ mcp_servers: { knack: entry(words) } }),
    text: ([command, ...args]) =>
      `[mcp_servers.knack]\ncommand = ${tomlString(command)}\nargs = [${args.map(tomlString).join(", ")}]`,
  },
  gemini: { file: "~/.gemini/settings.json, or .gemini/settings.json in the project", config: mcpServers },
  opencode: {
    file: "opencode.json in the project, or ~/.config/opencode/opencode.json",
    remark: 'opencode 2 needs it one level deeper: {"mcp": {"servers": {"knack": …}}}, without "enabled".',
    config: (words) => ({
      $schema: "https://opencode.ai/config.json",
      mcp: { knack: { type: "local", command: words, enabled: true } },
    }),
  },
  vscode: {
    file: ".vscode/mcp.json in the project",
    config: (words) => ({ servers: { knack: { type: "stdio", ...entry(words) } } }),
  },
  cursor: { file: "~/.cursor/mcp.json, or .cursor/mcp.json in the project", config: mcpServers },
};

export interface PrintConfigOptions extends GlobalOptions {
  /** A running `knack serve`: its address, or `true` for the usual one. */
  readonly http?: string | true;
}

const USUAL_URL = "http://127.0.0.1:4747/mcp";

/** Prints what makes a client start `knack mcp`, or ask a running `knack serve`, and says where it goes. */
export function printConfig(client: Client, options: PrintConfigOptions): void {
  if (options.http === undefined) printStdio(client, options);
  else printHttp(client, endpoint(options.http), options);
}

function printHttp(client: Client, url: string, options: GlobalOptions): void {
  const { config, text, adds } = HTTP_FORMATS[client];
  const { file, remark } = FORMATS[client];
  if (options.json) {
    printJson({ client, file, config: config(url) });
    return;
  }
  note(`For ${client}, into ${file}:`);
  print(text?.(url) ?? safeJson(config(url), 2));
  if (remark) note(remark);
  note(tokenRemark(client));
  if (adds) note(`Or run: ${adds(url)}`);
}

function endpoint(given: string | true): string {
  if (given === true) return USUAL_URL;
  const { protocol, origin, pathname, search, hash, username, password } = URL.canParse(given)
    ? new URL(given)
    : new URL("none:");
  const isPlain = /^https?:$/.test(protocol) && !search && !hash && !username && !password;
  if (isPlain && (pathname === "/" || pathname === "/mcp")) return `${origin}/mcp`;
  throw new SkillError(
    "INVALID_PARAM",
    `--http takes the address that "knack serve" prints, such as ${USUAL_URL}, without the token.`,
  );
}

function printStdio(client: Client, options: GlobalOptions): void {
  const { file, adds, remark, config, text } = FORMATS[client];
  const [program, ...rest] = ownCommand(process.argv[1] ?? "");
  const folder = options.cwd === undefined ? [] : ["--cwd", resolve(options.cwd)];
  const words: Words = [program, ...rest, "mcp", ...folder];
  if (options.json) {
    printJson({ client, file, config: config(words) });
    return;
  }
  note(`For ${client}, into ${file}:`);
  print(text?.(words) ?? safeJson(config(words), 2));
  if (remark) note(remark);
  if (adds) note(`Or run: ${adds} ${visiblePath(words.map(shellWord).join(" "))}`);
}

/** TOML's basic strings escape as JSON's do, except that a character beyond the basic plane is one escape. */
function tomlString(word: string): string {
  const characters = [...word.toWellFormed()].map((character) => {
    const escaped = safeJson(character, 0).slice(1, -1);
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff && escaped !== character ? `\\U${code.toString(16).padStart(8, "0")}` : escaped;
  });
  return `"${characters.join("")}"`;
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * The words that start this very program from anywhere. `knack` where a search path that lasts leads to it; the folders that
 * npx and npm scripts put there are gone when a client looks. Elsewhere Node and the launcher by their paths: a client that
 * was started from a desktop often finds neither. On Windows always, where `knack` is a script that only a shell starts.
 */
function ownCommand(
  launcher: string,
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): readonly [program: string, ...rest: string[]] {
  const own = realpathSync(launcher);
  const lasting = (env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !/[/\\]node_modules[/\\]\.bin[/\\]?$/.test(folder));
  const found = findProgram("knack", { PATH: lasting.join(delimiter) });
  const isOwn = platform !== "win32" && found !== undefined && realpathSync(found) === own;
  return isOwn ? ["knack"] : [process.execPath, own];
}
