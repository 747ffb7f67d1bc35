import { randomUUID } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { hostname as machineName } from "node:os";
import { basename, delimiter, join, resolve } from "node:path";
import { knackHome } from "@knack/core/config";
import { readOwn, realBase, removeQuietly, writeDurably, writeError } from "@knack/core/files";
import { findProgram } from "@knack/core/process";
import { serverOn } from "../host/process-files.ts";
import { readToken, type Token } from "../host/token.ts";
import { conflict, invalid, notFound } from "../options.ts";
import type { UserPlace, Words } from "./client-file.ts";

/** The words that fix a folder. */
export function inFolder(cwd: string | undefined): string[] {
  return cwd === undefined ? [] : ["--cwd", resolve(cwd)];
}

/**
 * The words with which a client, or one of its hooks, starts this program. `knack` where a search path that lasts leads to this very
 * program: the folders that npx and npm scripts put there are gone when a client looks. Elsewhere Node and the launcher by their
 * paths. On Windows always, where `knack` is a script that only a shell starts; and for a program that is started from a desktop,
 * which does not get the search path of the shell.
 */
export function ownCommand(
  { env, platform }: Pick<UserPlace, "env" | "platform">,
  isDesktop = false,
  launcher = process.argv[1] ?? "",
): Words {
  const own = realpathSync(launcher);
  const folders = (env.PATH ?? "").split(delimiter);
  const lasting = folders.filter((folder) => !/[/\\]node_modules[/\\]\.bin[/\\]?$/.test(folder));
  const mayLookUp = platform !== "win32" && !isDesktop;
  const found = mayLookUp ? findProgram("knack", { PATH: lasting.join(delimiter) }) : undefined;
  const isOwn = found !== undefined && realpathSync(found) === own;
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

/** A server that has shown who it is, and a token that it takes. */
export interface Server {
  readonly origin: string;
  readonly token: Token;
}

/**
 * A running `knack serve` and the user's token, tried on it. The request has the token, so it goes only to a server of this user,
 * or where a certificate proves the name that the user gave a token for.
 */
export async function findServer(url: string, place: UserPlace): Promise<Server> {
  const parsed = new URL(url);
  const { port, hostname, protocol } = parsed;
  const start = `Start it in another terminal: knack serve${port === "4747" || port === "" ? "" : ` --port ${port}`}`;
  if (protocol === "http:") {
    if (!isThisMachine(hostname))
      throw invalid(
        `${url} is another machine, and the token would be sent in clear. Use its https address.`,
      );
    const host = hostname.replace(/^\[(.*)\]$/, "$1");
    const served = serverOn(place, Number(port) || 80);
    if (!served || (host !== served.host && host !== "localhost"))
      throw notFound(`No "knack serve" of yours runs at ${url}. ${start}`);
    parsed.hostname = served.host.includes(":") ? `[${served.host}]` : served.host;
  } else if (!place.env.KNACK_TOKEN)
    throw invalid(`Set KNACK_TOKEN to the token that the owner of ${url} gave you.`);
  // Reading makes one where none is.
  const server = { origin: parsed.origin, token: await readToken(place.env, place.home) };
  const answer = await askServer(server, "/api/status").catch(() => undefined);
  requireToken(answer, url, server.token);
  // Other programs answer at this port too.
  if (answer?.ok && (await answer.text()).includes('"snapshot_version":')) return server;
  throw conflict(`What answers at ${url} is not "knack serve". ${start}`);
}

export function isThisMachine(hostname: string): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}

function askServer({ origin, token }: Server, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${origin}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token.text}`, "content-type": "application/json" },
    redirect: "error",
    signal: AbortSignal.timeout(LIMIT_MS),
  });
}

function requireToken(answer: Response | undefined, url: string, { file }: Token): void {
  if (answer?.status !== 401) return;
  throw conflict(
    `The server at ${url} refuses the token of ${file ?? "KNACK_TOKEN"}. Start it and this command with the same KNACK_TOKEN, or both without.`,
  );
}

/** What a client's token may do. It lies in a file that the client's model can read, so it confirms nothing. */
const ROLE = "runner";

/** A client's own token: it has a name in the log, and can be taken away without the user's own. */
export interface ClientToken extends Token {
  readonly name: string | null;
  /** Makes it, where it is not there yet: until then `text` stands for it. */
  readonly make?: () => Promise<string>;
}

export async function tokenOfClient(client: string, server: Server, place: UserPlace): Promise<ClientToken> {
  const me = (await (await askServer(server, "/api/me")).json()) as { name: string | null; role: string };
  // Whoever may make no tokens was given this one.
  if (me.role !== "owner") return { ...server.token, name: me.name };
  const file = tokenFile(client, place);
  const name = tokenName(client, place);
  const kept = readOwn(realBase(knackHome(place.env, place.home)), file, 1_024);
  const known =
    "fault" in kept ? undefined : { ...server.token, file, text: kept.bytes.toString("utf8").trim() };
  if (known && (await askServer({ ...server, token: known }, "/api/me")).ok) return { ...known, name };
  const make = async (): Promise<string> => {
    const body = JSON.stringify({ name, role: ROLE });
    const add = (): Promise<Response> => askServer(server, "/api/tokens", { method: "POST", body });
    let answer = await add();
    if (answer.status === 409) {
      // Its text is lost, or another server's took the place of its file.
      await askServer(server, `/api/tokens/${encodeURIComponent(name)}`, { method: "DELETE" });
      answer = await add();
    }
    const { token } = (await answer.json()) as { token?: string };
    if (token === undefined) throw conflict(`The server at ${server.origin} made no token for ${client}.`);
    const failure = writeDurably(file, 0o600, `${token}\n`);
    if (failure) throw writeError(file, failure, true);
    return token;
  };
  return { text: `new-${randomUUID()}`, file, notes: [], name, make };
}

/** A client that asks no more over HTTP has no token. Answers what is left to do where the server could not be asked. */
export async function endTokenOfClient(
  client: string,
  url: string,
  place: UserPlace,
): Promise<string | undefined> {
  const file = tokenFile(client, place);
  if (!existsSync(file)) return undefined;
  const name = tokenName(client, place);
  const path = `/api/tokens/${encodeURIComponent(name)}`;
  const ended = await findServer(url, place)
    .then((server) => askServer(server, path, { method: "DELETE" }))
    .catch(() => undefined);
  removeQuietly(file);
  const isGone = ended?.ok || ended?.status === 404;
  return isGone ? undefined : `Its token is still valid. To end it: knack token revoke ${name}`;
}

function tokenFile(client: string, { env, home }: UserPlace): string {
  return join(realBase(knackHome(env, home)), "tokens", client);
}

/** The store may be a team's. */
function tokenName(client: string, { env, home }: UserPlace): string {
  const user = basename(home) || env.USER || "user";
  return `${client}.${user}@${machineName()}`.replaceAll(/[^A-Za-z0-9._@-]/g, "-").slice(0, 64);
}
