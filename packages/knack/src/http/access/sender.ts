import { open } from "node:fs/promises";
import { isIPv4, type Socket } from "node:net";
import { systemCode } from "@knack/core/internal";

/** Who wrongs are counted for. */
export interface Sender {
  readonly id: string;
  /** Whether it is certainly one user or machine: then a right token of theirs ends the row of wrong ones. */
  readonly isOne: boolean;
}

/** All users of a machine come from the same address, and each of them has a million others to come from (127.0.0.0/8). */
const ANYBODY_HERE: Sender = { id: "this machine", isOne: false };
/** More rows are not looked at: whoever opens a hundred thousand connections is just not told apart from others. */
const MAX_BYTES = 256 * 1024;
const ESTABLISHED = "01";

/** The kernel takes milliseconds to list the connections of a machine; more often in a second it is not asked. */
const MAX_LOOKS = 10;

/** Tells senders apart: on Linux the users of this machine, and other machines by their address. */
export class Senders {
  readonly #known = new WeakMap<Socket, Sender>();
  #looks = 0;
  #second = 0;

  async of(socket: Socket): Promise<Sender> {
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

/** A household has 2^64 addresses of IPv6. */
function network(address: string): string {
  return isIPv4(address) ? address : address.split(":").slice(0, 4).join(":");
}

async function userBehind(
  { remotePort = 0, localPort = 0 }: Socket,
  address: string,
): Promise<string | undefined> {
  const from = `${inHex(address)}:${port(remotePort)}`;
  for (const row of await rows(isIPv4(address) ? "/proc/net/tcp" : "/proc/net/tcp6")) {
    const [, own, other, state, , , , uid] = row.trim().split(/ +/);
    // One that is being closed is told as root's.
    if (own === from && other?.endsWith(`:${port(localPort)}`) && state === ESTABLISHED) return uid;
  }
  return undefined;
}

/** As the kernel prints it: each 32 bits as a number of this machine. */
function inHex(address: string): string {
  if (!isIPv4(address)) return "00000000000000000000000001000000";
  const bytes = address.split(".").map((part) => Number(part).toString(16).padStart(2, "0"));
  return bytes.reverse().join("").toUpperCase();
}

function port(number: number): string {
  return number.toString(16).toUpperCase().padStart(4, "0");
}

async function rows(file: string): Promise<string[]> {
  try {
    await using handle = await open(file, "r");
    const bytes = Buffer.alloc(MAX_BYTES);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, null);
      length += bytesRead;
      if (bytesRead === 0) return bytes.toString("latin1", 0, length).split("\n");
    }
  } catch (error) {
    // A container may have no /proc.
    systemCode(error);
    return [];
  }
}
