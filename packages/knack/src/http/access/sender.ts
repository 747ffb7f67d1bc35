import { open } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { isIP, isIPv4, type Socket } from "node:net";
import { systemCode } from "@knack/core/internal";

/** The key under which wrong tokens are counted. */
export interface Sender {
  readonly id: string;
  /** Whether this is certainly one user or machine: only then does a right token reset the count. */
  readonly isOne: boolean;
}

/** All users of a machine share its address, and each can also use any address of 127.0.0.0/8. */
const ANYBODY_HERE: Sender = { id: "this machine", isOne: false };
/** Read no more than this, some 28,000 connections. Someone who opens more cannot be told apart from others. */
const MAX_BYTES = 4 * 1024 * 1024;
const ESTABLISHED = "01";

/** Listing the machine's connections takes the kernel milliseconds, so do it only this often per second. */
const MAX_LOOKS = 10;

/** Tells senders apart: users of this machine on Linux, other machines by address, behind a proxy by what it says. */
export class Senders {
  readonly #known = new WeakMap<Socket, Sender>();
  readonly #isBehindProxy: boolean;
  #looks = 0;
  #second = 0;

  constructor(isBehindProxy = false) {
    this.#isBehindProxy = isBehindProxy;
  }

  async of({ socket, headers }: IncomingMessage): Promise<Sender> {
    const forwarded = this.#isBehindProxy ? forwardedFor(headers["x-forwarded-for"]) : undefined;
    if (forwarded !== undefined) return { id: network(forwarded), isOne: true };
    const sender = this.#known.get(socket) ?? (await this.#look(socket));
    this.#known.set(socket, sender);
    return sender;
  }

  async #look(socket: Socket): Promise<Sender> {
    const address = (socket.remoteAddress ?? "").replace(/^::ffff:/i, "");
    if (address !== "::1" && !address.startsWith("127.")) return { id: network(address), isOne: true };
    if (process.platform !== "linux" || !this.#mayLook()) return ANYBODY_HERE;
    const uid = await userBehind(socket, address);
    return uid === undefined ? ANYBODY_HERE : { id: `user ${uid}`, isOne: true };
  }

  #mayLook(): boolean {
    const second = Math.floor(performance.now() / 1_000);
    if (second !== this.#second) this.#looks = 0;
    this.#second = second;
    return ++this.#looks <= MAX_LOOKS;
  }
}

/** The proxy appends the address that it saw; what stands before it the client may have written. */
function forwardedFor(header: string | string[] | undefined): string | undefined {
  const last = String(header ?? "")
    .split(",")
    .at(-1)
    ?.trim()
    .replace(/^::ffff:/i, "");
  return last !== undefined && isIP(last) !== 0 ? last : undefined;
}

/** One household can have 2^64 IPv6 addresses, so count by prefix. */
function network(address: string): string {
  return isIPv4(address) ? address : address.split(":").slice(0, 4).join(":");
}

async function userBehind(
  { remotePort = 0, localPort = 0 }: Socket,
  address: string,
): Promise<string | undefined> {
  const from = `${inHex(address)}:${port(remotePort)}`;
  for await (const row of rows(isIPv4(address) ? "/proc/net/tcp" : "/proc/net/tcp6")) {
    if (!row.includes(from)) continue;
    const [, own, other, state, , , , uid] = row.trim().split(/ +/);
    // A connection that is being closed is listed as root's.
    if (own === from && other?.endsWith(`:${port(localPort)}`) && state === ESTABLISHED) return uid;
  }
  return undefined;
}

/** Formatted as the kernel does: each 32 bits in the machine's byte order. */
function inHex(address: string): string {
  if (!isIPv4(address)) return "00000000000000000000000001000000";
  const bytes = address.split(".").map((part) => Number(part).toString(16).padStart(2, "0"));
  return bytes.reverse().join("").toUpperCase();
}

function port(number: number): string {
  return number.toString(16).toUpperCase().padStart(4, "0");
}

async function* rows(file: string): AsyncGenerator<string> {
  try {
    await using handle = await open(file, "r");
    const chunk = Buffer.alloc(64 * 1024);
    let rest = "";
    for (let length = 0; length < MAX_BYTES; ) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
      if (bytesRead === 0) return;
      length += bytesRead;
      const lines = (rest + chunk.toString("latin1", 0, bytesRead)).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } catch (error) {
    // A container may have no /proc.
    systemCode(error);
  }
}
