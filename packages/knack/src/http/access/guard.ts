import type { IncomingMessage } from "node:http";
import { denied, invalid } from "../../options.ts";
import type { ServerLimits } from "../server/limits.ts";
import { type Bind, isOwnHost, isOwnOrigin } from "./address.ts";

export interface Guard {
  readonly bind: Bind;
  readonly port: number;
  readonly limits: ServerLimits;
  readonly isOpen: boolean;
}

export function checkHeader(request: IncomingMessage, guard: Guard): void {
  const { rawHeaders, headers } = request;
  if (rawHeaders.length / 2 > guard.limits.headers)
    throw invalid(`Too many header fields; at most ${guard.limits.headers} are allowed.`);
  const host = singleHost(rawHeaders);
  if (!isOwnHost(host, guard.bind, guard.port))
    throw denied(
      guard.bind.proxy === undefined
        ? "Host header not allowed. Use 127.0.0.1 or localhost, with the port of this server."
        : "Host header not allowed. Use the address of the proxy, which must pass the Host header on.",
    );
  // A page may only talk to the server that served it.
  const origin = headers.origin?.toLowerCase();
  if (origin !== undefined && !isOwnOrigin(origin, host, guard.bind, guard.port))
    throw denied("Origin not allowed. Open the page of this server itself.");
  if (isFromElsewhere(request, guard.isOpen))
    throw denied("Requests from other sites are not allowed. Open the page of this server itself.");
}

function singleHost(rawHeaders: readonly string[]): string {
  const hosts = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === "host");
  const [host] = hosts;
  if (host === undefined || hosts.length > 1) throw invalid("A request must have exactly one Host header.");
  return host.toLowerCase();
}

/** Browsers send Sec-Fetch-Site even without `Origin`. Following a link to the page is harmless. */
function isFromElsewhere({ headers, method }: IncomingMessage, isPage: boolean): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== "cross-site" && site !== "same-site") return false;
  return !(headers["sec-fetch-mode"] === "navigate" && method === "GET" && isPage);
}
