import { KnackError } from "@knack/core";
import { quote } from "@knack/core/text";
import type { CommandOptions } from "../../cli/table/table.ts";
import { invalid } from "../../options.ts";
import type { TlsFiles } from "../server/tls-files.ts";
import { type Bind, isLoopbackHost, isShared } from "./address.ts";

export const PORT = 4747;

export interface StatedBind extends Pick<Bind, "host" | "isLoopback" | "proxy"> {
  readonly port: number;
  readonly files: TlsFiles | undefined;
}

export function readBind(options: CommandOptions<"serve">): StatedBind {
  const { host, port } = readListen(options);
  const { tlsCert: cert, tlsKey: key } = options;
  if ((cert === undefined) !== (key === undefined)) throw invalid("Use --tls-cert and --tls-key together.");
  const files = cert === undefined || key === undefined ? undefined : { cert, key };
  return { host, port, isLoopback: isLoopbackHost(host), proxy: readProxy(options.behindProxy), files };
}

/** Refuses an address that others can reach without access tokens or without encryption. */
export function checkReach(stated: StatedBind, tokens: number): void {
  if (!isShared({ ...stated, scheme: "http" })) return;
  const { host, proxy, files } = stated;
  const missing = [
    ...(tokens > 0 ? [] : ["- an access token: knack token add NAME --role owner"]),
    ...(proxy !== undefined || files
      ? []
      : ["- encryption: --tls-cert FILE --tls-key FILE, or --behind-proxy https://NAME if a proxy does it"]),
  ];
  if (missing.length === 0) return;
  const what = proxy === undefined ? quote(host) : "A server behind a proxy";
  throw new KnackError(
    "E_BIND_INSECURE",
    [
      `E_BIND_INSECURE: ${what} can be reached from other machines. Missing:`,
      ...missing,
      `Or listen on this machine only: knack serve --listen 127.0.0.1:${PORT}`,
    ].join("\n"),
  );
}

function readListen({ listen, host, port }: CommandOptions<"serve">): { host: string; port: number } {
  if (listen === undefined) return { host: readHost("--host", host ?? "127.0.0.1"), port: readPort(port) };
  if (host !== undefined || port !== undefined) throw invalid("Use either --listen, or --host and --port.");
  const [, bracketed, plain, stated] = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/s.exec(listen) ?? [];
  const name = bracketed ?? plain;
  if (name === undefined)
    throw invalid(`--listen takes HOST:PORT, such as 0.0.0.0:4747 or [::]:4747, not ${quote(listen)}.`);
  return { host: readHost("--listen", name), port: readPort(stated, "--listen") };
}

export function readPort(text: string | undefined, option = "--port"): number {
  if (text === undefined) return PORT;
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw invalid(`${option} takes a number from 0 to 65535, not ${quote(text)}.`);
}

function readHost(option: string, stated: string): string {
  const host = stated.replace(/^\[(.*)\]$/, "$1");
  if (host.trim() === "") throw invalid(`${option} takes an address, such as 127.0.0.1.`);
  // The name has two addresses, and where Knack listens at one, another program may answer at the other.
  return host.toLowerCase() === "localhost" ? "127.0.0.1" : host;
}

/** Its origin. Plain HTTP is accepted only for a proxy on this machine. */
function readProxy(stated: string | undefined): string | undefined {
  if (stated === undefined) return undefined;
  const url = URL.canParse(stated) ? new URL(stated) : undefined;
  const isOrigin = url?.pathname === "/" && url.search === "" && url.hash === "" && url.username === "";
  const isSafe =
    url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackHost(nameOf(url.hostname)));
  if (url && isOrigin && isSafe) return url.origin.toLowerCase();
  throw invalid(
    "--behind-proxy takes the address that people open, without a path: https://knack.example.com",
  );
}

const nameOf = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, "$1");
