import { realpathSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import { SkillError } from "@knack/core";
import { findProgram } from "@knack/core/process";
import { readToken, type Token } from "../host/token.ts";
import type { UserPlace, Words } from "./clients.ts";

/** The words with which a client starts the server; with a folder, for the skills of that folder wherever it is started. */
export function serverCommand(cwd: string | undefined): Words {
  const [program, ...rest] = ownCommand(process.argv[1] ?? "");
  return [program, ...rest, "mcp", ...(cwd === undefined ? [] : ["--cwd", resolve(cwd)])];
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
): Words {
  const own = realpathSync(launcher);
  const lasting = (env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !/[/\\]node_modules[/\\]\.bin[/\\]?$/.test(folder));
  const found = findProgram("knack", { PATH: lasting.join(delimiter) });
  const isOwn = platform !== "win32" && found !== undefined && realpathSync(found) === own;
  return isOwn ? ["knack"] : [process.execPath, own];
}

const USUAL_URL = "http://127.0.0.1:4747/mcp";

/** The address of `/mcp` of a running `knack serve`: the usual one, or what was given behind `--http`. */
export function serverUrl(given: string | true): string {
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

const LIMIT_MS = 5_000;

/** The token of a running `knack serve`, tried on it. Without a server there is nothing to set up yet. */
export async function findServer(url: string, { env, home }: UserPlace): Promise<Token> {
  const start = `Start it in another terminal: knack serve${portOf(url)}`;
  // Before the token is read: that makes one where none is.
  await call(url, {}).catch(() => {
    throw new SkillError("NOT_FOUND", `Nothing answers at ${url}. ${start}`);
  });
  const token = await readToken(env, home);
  const answer = await call(url, { authorization: `Bearer ${token.text}` }).catch(() => undefined);
  const where = token.file ?? "KNACK_TOKEN";
  if (answer?.status === 401)
    throw new SkillError(
      "CONFLICT",
      `The server at ${url} refuses the token of ${where}. Start it and this command with the same KNACK_TOKEN, or both without.`,
    );
  if (!answer?.ok || !answer.body.includes('"name":"knack"'))
    throw new SkillError("CONFLICT", `What answers at ${url} is not "knack serve". ${start}`);
  return token;
}

function portOf(url: string): string {
  const { port } = new URL(url);
  return port === "4747" || port === "" ? "" : ` --port ${port}`;
}

async function call(url: string, headers: Record<string, string>) {
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "knack-setup", version: "1" },
      },
    }),
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  return { status: answer.status, ok: answer.ok, body: await answer.text() };
}
