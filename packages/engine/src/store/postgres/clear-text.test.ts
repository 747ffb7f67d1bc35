import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, it } from "vitest";
import { openPostgres } from "./postgres.ts";

it("a server that asks for the password in clear does not get it without a certificate", async () => {
  const got: string[] = [];
  const sockets = new Set<Socket>();
  const thief = createServer((socket) => {
    sockets.add(socket);
    socket
      .on("error", () => {})
      .on("data", (data) => {
        if (data[0] === 0x70) got.push(data.toString("latin1"));
        // AuthenticationCleartextPassword.
        else socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
      });
  }).listen(0, "127.0.0.1");
  await once(thief, "listening");
  const { port } = thief.address() as AddressInfo;
  try {
    const opening = openPostgres(`postgres://ann:hunter2@127.0.0.1:${port}/team`, { limitMs: 5_000 });
    await expect(opening).rejects.toThrow(/asks for the password in clear/);
    expect(got).toEqual([]);
  } finally {
    for (const socket of sockets) socket.destroy();
    thief.close();
  }
});
