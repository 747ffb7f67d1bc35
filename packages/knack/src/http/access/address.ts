import { isIP } from "node:net";
import { hostname } from "node:os";

export interface Bind {
  readonly host: string;
  readonly isLoopback: boolean;
  readonly scheme: "http" | "https";
  /** The address of the proxy in front, such as `https://knack.example.com`; then no other name is accepted. */
  readonly proxy?: string | undefined;
  readonly isCertified?: ((name: string) => boolean) | undefined;
}

/** Whether others than the user of this machine can reach the server: then named access tokens are the only way in. */
export function isShared({ isLoopback, proxy }: Bind): boolean {
  return !isLoopback || proxy !== undefined;
}

export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase();
  return name === "localhost" || name === "::1" || (isIP(name) === 4 && name.startsWith("127."));
}

/**
 * Whether a `Host` header (in lower case) names this server. On loopback it must be one of a few names with our port: a page
 * that uses DNS rebinding sends its own name. A name without a port is accepted: browsers always send the port, and
 * handwritten clients often omit it. On other addresses any IP address may be ours; a name must be the one from --listen, the
 * machine's or one of the certificate. Behind a proxy it is the proxy's and no other.
 */
export function isOwnHost(header: string, bind: Bind, port: number): boolean {
  if (bind.proxy !== undefined) return header === new URL(bind.proxy).host || header === fullHost(bind.proxy);
  const { name, port: stated = port } = splitHost(header);
  return name !== undefined && stated === port && isOwnName(name, bind);
}

/**
 * Whether an `Origin` (in lower case) is this server: on loopback one of its names with our port; on other addresses, where
 * any IP may be ours, the host of the request; behind a proxy the proxy.
 */
export function isOwnOrigin(origin: string, host: string, bind: Bind, port: number): boolean {
  const { scheme, proxy, isLoopback } = bind;
  if (proxy !== undefined) return origin === proxy;
  if (!isLoopback) return origin === `${scheme}://${host}`;
  const start = `${scheme}://`;
  const { name, port: stated = scheme === "http" ? 80 : 443 } = splitHost(origin.slice(start.length));
  return origin.startsWith(start) && name !== undefined && stated === port && isLoopbackHost(name);
}

function isOwnName(name: string, { host, isLoopback, isCertified }: Bind): boolean {
  if (isLoopbackHost(name)) return true;
  if (isCertified?.(name)) return true;
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

/** With the port also where it is the usual one, which some proxies send. */
function fullHost(origin: string): string {
  const { hostname: name, port, protocol } = new URL(origin);
  return `${name}:${port || (protocol === "https:" ? 443 : 80)}`;
}

/** The address for a link; 0.0.0.0 and :: are reached by their loopback address. */
export function originOf(host: string, port: number, scheme: Bind["scheme"] = "http"): string {
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `${scheme}://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
