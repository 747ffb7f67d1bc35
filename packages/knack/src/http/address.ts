import { isIP } from "node:net";
import { hostname } from "node:os";
import { RefusalError } from "../cli/refusal-error.ts";

/** Where a server listens, as the user stated it. */
export interface Bind {
  readonly host: string;
  readonly isLoopback: boolean;
}

/** Refuses an address that others can reach unless the user gave a token for it. */
export function checkBind(host: string, env: NodeJS.ProcessEnv): Bind {
  const isLoopback = isLoopbackHost(host);
  if (!isLoopback && (env.KNACK_TOKEN ?? "") === "")
    throw new RefusalError(
      "E_BIND_INSECURE",
      `E_BIND_INSECURE: ${JSON.stringify(host)} can be reached from other machines, and no token was given for it. Set KNACK_TOKEN to a long random text, or leave --host away to listen on this machine alone.`,
    );
  return { host, isLoopback };
}

function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase();
  return name === "localhost" || name === "::1" || (isIP(name) === 4 && name.startsWith("127."));
}

/**
 * Whether a `Host` header (in lower case) names this server. On loopback that is one of a few names with the very port:
 * a page whose own name was pointed here by its owner's DNS sends its own. Elsewhere every address may be ours; a name has
 * to be the one that was stated, or the machine's.
 */
export function isOwnHost(header: string, { host, isLoopback }: Bind, port: number): boolean {
  const { name, port: stated } = splitHost(header);
  if (name === undefined || (stated ?? 80) !== port) return false;
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

/** The address as it stands in a link; one that means every address is reached by the loopback one. */
export function originOf(host: string, port: number): string {
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
