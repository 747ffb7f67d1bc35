import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { queryObjects } from "node:v8";
import { describe, expect, it } from "vitest";
import { makeProject } from "../cli/run.ts";
import { InProcess } from "./in-process.ts";
import { readAll, Server, statusOf } from "./server.ts";

const folder = makeProject();
const server = await Server.forFile(folder);

const post = (headers: string, body = ""): string =>
  `POST /api/policy HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${server.token}\r\nContent-Type: application/json\r\n${headers}\r\n${body}`;

const isOpen = (sockets: readonly Socket[]): number =>
  sockets.filter(({ destroyed, readableEnded, closed }) => !destroyed && !readableEnded && !closed).length;

/** The resident memory of the server, in MiB. */
function memory(): number {
  const status = readFileSync(`/proc/${server.process.pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}

describe("bodies", () => {
  it("refuses a body whose announced length is too large before reading it, and closes", async () => {
    for (const length of [4 * 1024 * 1024 + 1, 10 * 1024 ** 3]) {
      const answer = await server.raw(post(`Content-Length: ${length}\r\n`));
      expect(statusOf(answer)).toBe(413);
      expect(answer).toMatch(/connection: close/i);
    }
  });

  it("takes 4 MiB to the byte, and of a body without a length not one more", async () => {
    const json = (bytes: number): string => `{"a":"${"x".repeat(bytes - 8)}"}`;
    expect((await server.post("/api/policy", json(4 * 1024 * 1024))).status).toBe(400);
    expect((await server.post("/api/policy", json(4 * 1024 * 1024 + 1))).status).toBe(413);
    const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
    const answer = await server.raw(post("Transfer-Encoding: chunked\r\n", chunk.repeat(65)));
    expect(statusOf(answer)).toBe(413);
  });

  it.each([
    ["length and chunks at once", "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"],
    ["an invalid size of a chunk", "Transfer-Encoding: chunked\r\n", "zz\r\nhello\r\n0\r\n\r\n"],
    ["a huge size of a chunk", "Transfer-Encoding: chunked\r\n", "fffffffffffffffff\r\n"],
    ["two lengths", "Content-Length: 2\r\nContent-Length: 3\r\n", "{}"],
    ["a negative length", "Content-Length: -1\r\n", ""],
    ["an unknown transfer encoding", "Transfer-Encoding: gzip\r\n", "x"],
  ])("refuses %s and closes", async (_name, headers, body) => {
    expect(statusOf(await server.raw(post(headers, body)))).toBe(400);
  });

  const CHUNK = `100000\r\n${"x".repeat(1_048_576)}\r\n`;
  const endless = async (): Promise<number> => {
    const socket = await server.connect();
    socket.write(post("Transfer-Encoding: chunked\r\n"));
    for (let i = 0; i < 6; i++) socket.write(CHUNK);
    return statusOf(await readAll(socket));
  };
  /** What a server needs for its first requests does not count as growth. */
  const warmUp = async (): Promise<number> => {
    for (let i = 0; i < 50; i++) await (await server.post("/api/policy", {})).text();
    return memory();
  };

  it("grows by less than 128 MiB under 40 rounds of them, which send 330 MiB", async () => {
    const round = async (): Promise<void> => {
      expect(await endless()).toBe(413);
      const bomb = post("Content-Encoding: gzip\r\nContent-Length: 1000000\r\n", "x".repeat(1_000_000));
      expect(statusOf(await server.raw(bomb))).toBe(415);
      expect(
        statusOf(await server.raw(post(`Content-Length: ${10 * 1024 ** 3}\r\n`, "x".repeat(65_536)))),
      ).toBe(413);
      expect((await server.post("/api/policy", `{"a":"${"x".repeat(1_048_576)}"}`)).status).toBe(400);
    };
    const before = await warmUp();
    // More than the bound, which leaves room for garbage that the server has not freed yet.
    for (let i = 0; i < 40; i++) await round();
    expect(memory() - before).toBeLessThan(128);
  });
});

describe("slow clients", () => {
  const SLOW = { headersMs: 400, requestMs: 1_000, keepAliveMs: 200 };

  it("cuts a slow header and a slow body off, with 408", async () => {
    await using slow = await InProcess.start(folder, SLOW);
    const header = await slow.connect();
    header.write("GET / HTTP/1.1\r\nHo");
    const drip = setInterval(() => header.write("s"), 50);
    expect(statusOf(await readAll(header))).toBe(408);
    clearInterval(drip);

    const body = await slow.connect();
    body.write(slow.post("Content-Length: 1000\r\n"));
    const more = setInterval(() => body.write("x"), 50);
    expect(statusOf(await readAll(body))).toBe(408);
    clearInterval(more);
    const nothing = await slow.connect();
    expect(statusOf(await readAll(nothing))).toBe(408);
  });

  it("lets a connection without a request go", async () => {
    await using slow = await InProcess.start(folder, SLOW);
    const socket = await slow.connect();
    socket.write(
      `GET /api/status HTTP/1.1\r\nHost: 127.0.0.1:${slow.port}\r\nAuthorization: ${slow.bearer.Authorization}\r\n\r\n`,
    );
    // The server ends the connection.
    expect(statusOf(await readAll(socket))).toBe(200);
  });

  it("refuses connections above the limit, and takes others when the slow ones timed out", async () => {
    await using small = await InProcess.start(folder, { ...SLOW, connections: 8 });
    const sockets = await Promise.all(Array.from({ length: 20 }, () => small.connect()));
    await expect.poll(() => isOpen(sockets)).toBeLessThanOrEqual(8);
    const answered = async (): Promise<number> => {
      const socket = await small.connect();
      socket.write(
        `GET /api/status HTTP/1.1\r\nHost: 127.0.0.1:${small.port}\r\nAuthorization: ${small.bearer.Authorization}\r\nConnection: close\r\n\r\n`,
      );
      return statusOf(await readAll(socket));
    };
    await expect.poll(answered).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it("lets go who does not read, and keeps nothing for them", async () => {
    using many = makeProject();
    await using slow = await InProcess.start(many, { stalledMs: 300 }, 4_000);
    const socket = await slow.connect();
    socket.pause();
    socket.write(
      `GET /api/skills HTTP/1.1\r\nHost: 127.0.0.1:${slow.port}\r\nAuthorization: ${slow.bearer.Authorization}\r\n\r\n`,
    );
    // Once the answer has begun, the server waits for its reader.
    await once(socket, "readable");
    await wait(1_500);
    socket.resume();
    const text = await readAll(socket);
    expect(statusOf(text)).toBe(200);
    expect(text.endsWith("}")).toBe(false);
  });
});

describe("failed logins", () => {
  // Resident memory says nothing here: V8 makes room for young objects, for successful requests just as much.
  it("leave no object behind, whatever the token and however often", async () => {
    using project = makeProject();
    await using own = await InProcess.start(project, { keepAliveMs: 100 });
    const fail = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i++) {
        const socket = await own.connect();
        const token =
          i % 2 === 0 ? `knack_${randomBytes(32).toString("base64url")}` : randomBytes(20).toString("hex");
        socket.write(
          `GET /api/skills HTTP/1.1\r\nHost: 127.0.0.1:${own.port}\r\nAuthorization: Bearer ${token}\r\n`,
        );
        socket.write("Connection: close\r\n\r\n");
        expect([401, 429]).toContain(statusOf(await readAll(socket)));
      }
    };
    await fail(100);
    await expect.poll(() => queryObjects(IncomingMessage, { format: "count" })).toBeLessThan(50);
    const before = queryObjects(Object, { format: "count" });
    await fail(1_000);
    await expect.poll(() => queryObjects(IncomingMessage, { format: "count" })).toBeLessThan(50);
    // Less than one for each: whatever is kept of a login is at least one object.
    await expect.poll(() => queryObjects(Object, { format: "count" }) - before).toBeLessThan(900);
  });
});
