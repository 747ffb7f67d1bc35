import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { openPostgres } from "./postgres.ts";

let server: Server;
let sockets: Socket[];

/** A server that closes no connection, whatever the client does. Answers its address. */
async function listen(answer: (data: Buffer, socket: Socket) => void): Promise<string> {
  sockets = [];
  server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    socket.on("error", () => {}).on("data", (data) => answer(data, socket));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return `postgres://ann:hunter2@127.0.0.1:${(server.address() as AddressInfo).port}/team`;
}

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

function message(kind: string, content: Buffer): Buffer {
  const head = Buffer.from(`${kind}\0\0\0\0`);
  head.writeInt32BE(4 + content.length, 1);
  return Buffer.concat([head, content]);
}

it("a server that asks for the password in clear does not get it without a certificate", async () => {
  const got: string[] = [];
  const url = await listen((data, socket) => {
    if (data[0] === 0x70) got.push(data.toString("latin1"));
    // AuthenticationCleartextPassword.
    else socket.write(message("R", Buffer.from([0, 0, 0, 3])));
  });
  await expect(openPostgres(url, { limitMs: 5_000 })).rejects.toThrow(/asks for the password in clear/);
  expect(got).toEqual([]);
});

describe("a server that says FATAL and leaves the connection open", () => {
  const WELCOME = [Buffer.concat([message("R", Buffer.alloc(4)), message("Z", Buffer.from("I"))])];
  const fatal = (code: string): Buffer => message("E", Buffer.from(`SFATAL\0C${code}\0Mgone\0\0`));
  it.each([
    ["28P01", "instead of a welcome", []],
    ["57P01", "instead of a welcome", []],
    ["28P01", "to the first statement", WELCOME],
    ["57P01", "to the first statement", WELCOME],
  ])("%s %s: no connection of ours keeps the process waiting", async (code, _when, welcome) => {
    const left = new Map<Socket, readonly Buffer[]>();
    // After FATAL it is silent.
    const url = await listen((_data, socket) => {
      const [now = Buffer.alloc(0), ...later] = left.get(socket) ?? [...welcome, fatal(code)];
      left.set(socket, later);
      socket.write(now);
    });
    // A side that only says goodbye still takes what comes, and waits for the other's.
    const closed = (): number =>
      sockets.filter((socket) => {
        socket.write(message("N", Buffer.alloc(1)));
        return socket.destroyed;
      }).length;
    await expect(openPostgres(url, { limitMs: 60_000 })).rejects.toThrow(
      /refused the user|cannot be reached/,
    );
    expect(sockets.length).toBeGreaterThan(0);
    await expect.poll(closed).toBe(sockets.length);
  });
});
