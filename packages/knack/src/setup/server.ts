import { realpathSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import { findProgram } from "@knack/core/process";
import { projectServedOn } from "../host/process-files.ts";
import { readToken, type Token } from "../host/token.ts";
import { conflict, invalid, notFound } from "../options.ts";
import type { UserPlace, Words } from "./place.ts";

/** The words with which a client starts the server; with a folder, for the skills of that folder wherever it is started. */
export function serverCommand(cwd?: string): Words {
  const [program, ...rest] = ownCommand();
  return [program, ...rest, "mcp", ...inFolder(cwd)];
}

/** The words that fix a folder. */
export function inFolder(cwd: string | undefined): string[] {
  return cwd === undefined ? [] : ["--cwd", resolve(cwd)];
}

/**
 * The words that start this very program from anywhere. `knack` where a search path that lasts leads to it; the folders that
 * npx and npm scripts put there are gone when a client looks. Elsewhere Node and the launcher by their paths: a client that
 * was started from a desktop often finds neither. On Windows always, where `knack` is a script that only a shell starts.
 */
export function ownCommand(): Words {
  const own = realpathSync(process.argv[1] ?? "");
  const folders = (process.env.PATH ?? "").split(delimiter);
  const lasting = folders.filter((folder) => !/[/\\]node_modules[/\\]\.bin[/\\]?$/.test(folder));
  const found = findProgram("knack", { PATH: lasting.join(delimiter) });
  const isOwn = process.platform !== "win32" && found !== undefined && realpathSync(found) === own;
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
  throw invalid(
    `--http takes the address that "knack serve" prints, such as ${USUAL_URL}, without the token.`,
  );
}

const LIMIT_MS = 5_000;

/**
 * The token of a running `knack serve`, tried on it. Without a server there is nothing to set up yet. The request has the
 * token, so it goes only to a server of this user, or to another machine where the user gave the token for it.
 */
export async function findServer(url: string, { env, home }: UserPlace): Promise<Token> {
  const { origin, port, hostname } = new URL(url);
  const start = `Start it in another terminal: knack serve${port === "4747" || port === "" ? "" : ` --port ${port}`}`;
  const isHere = isThisMachine(hostname);
  if (isHere && projectServedOn({ env, home }, Number(port) || 80) === undefined)
    throw notFound(`No "knack serve" of yours runs at ${url}. ${start}`);
  if (!isHere && !env.KNACK_TOKEN)
    throw invalid(`${url} is another machine. Set KNACK_TOKEN to the token that its owner gave you.`);
  const token = await readToken(env, home);
  const answer = await statusOf(origin, token).catch(() => undefined);
  requireToken(answer, url, token);
  // Other programs answer at this port too.
  if (answer?.ok && (await answer.text()).includes('"snapshot_version":')) return token;
  throw conflict(`What answers at ${url} is not "knack serve". ${start}`);
}

export function isThisMachine(hostname: string): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}

/** Asks a server what it serves; with a token, to try it. */
export function statusOf(origin: string, token?: Token): Promise<Response> {
  return fetch(`${origin}/api/status`, {
    headers: token ? { authorization: `Bearer ${token.text}` } : {},
    signal: AbortSignal.timeout(LIMIT_MS),
  });
}

/** Throws where the server has another token. */
export function requireToken(answer: Response | undefined, url: string, { file }: Token): void {
  if (answer?.status !== 401) return;
  throw conflict(
    `The server at ${url} refuses the token of ${file ?? "KNACK_TOKEN"}. Start it and this command with the same KNACK_TOKEN, or both without.`,
  );
}
