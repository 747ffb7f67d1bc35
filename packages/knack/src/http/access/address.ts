import { isIP } from "node:net";
import { hostname } from "node:os";
import { KnackError, SkillError } from "@knack/core";
import { quote } from "@knack/core/internal";

/** Where a server listens, as the user stated it. */
export interface Bind {
  readonly host: string;
  readonly isLoopback: boolean;
}

/** Anyone who can reach the server can guess a shorter token by brute force. */
const MIN_TOKEN = 8;

/** Refuses an address that other machines can reach, unless the user set a token. */
export function checkBind(stated: string, env: NodeJS.ProcessEnv): Bind {
  const host = stated.replace(/^\[(.*)\]$/, "$1");
  if (host.trim() === "")
    throw new SkillError("INVALID_PARAM", "--host takes an address, such as 127.0.0.1.");
  const isLoopback = isLoopbackHost(host);
  const { length } = env.KNACK_TOKEN ?? "";
  if (isLoopback || length >= MIN_TOKEN) return { host, isLoopback };
  const fault = length === 0 ? "no token is set" : "the token is too short";
  throw new KnackError(
    "E_BIND_INSECURE",
    `E_BIND_INSECURE: ${quote(host)} can be reached from other machines, and ${fault}. Set KNACK_TOKEN to a long random text, or omit --host to listen on this machine only.`,
  );
}

function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase();
  return name === "localhost" || name === "::1" || (isIP(name) === 4 && name.startsWith("127."));
}

/**
 * Whether a `Host` header (in lower case) names this server. On loopback it must be one of a few names with our port: a page
 * that uses DNS rebinding sends its own name. A name without a port is accepted: browsers always send the port, and
 * handwritten clients often omit it. On other addresses any IP address may be ours; a name must be the one from --host or
 * the machine's.
 */
export function isOwnHost(header: string, bind: Bind, port: number): boolean {
  const { name, port: stated = port } = splitHost(header);
  return name !== undefined && stated === port && isOwnName(name, bind);
}

/**
 * Whether an `Origin` (in lower case) is this server: on loopback one of its names with our port; on other addresses, where
 * any IP may be ours, the host of the request.
 */
export function isOwnOrigin(origin: string, host: string, { isLoopback }: Bind, port: number): boolean {
  if (!isLoopback) return origin === `http://${host}`;
  const { name, port: stated = 80 } = splitHost(origin.replace(/^http:\/\//, ""));
  return origin.startsWith("http://") && name !== undefined && stated === port && isLoopbackHost(name);
}

function isOwnName(name: string, { host, isLoopback }: Bind): boolean {
  if (isLoopbackHost(name)) return true;
  return (
    !isLoopback && (isIP(name) !== 0 || name === host.toLowerCase() || name === hostname().toLowerCase())
  );
}

function splitHost(header: string): { name?: string; port?: number } {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+))(?::(\d{1,5}))?$/.exec(header);
  const name = match?.[1] ?? match?.[2];
  if (name === undefined) return {};
  return match?.[3] === undefined ? { name } : { name, port: Number(match[3]) };
}

/** The address for a link; 0.0.0.0 and :: are reached by their loopback address. */
export function originOf(host: string, port: number): string {
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
