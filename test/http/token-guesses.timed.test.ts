import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Folder } from "../../packages/core/src/testing/files.ts";
import { LIMITS } from "../../packages/knack/src/http/server/limits.ts";
import { makeProject } from "../cli/run.ts";
import { Server } from "./server.ts";

let folder: Folder;
let server: Server;

beforeAll(() => {
  folder = makeProject();
});
afterAll(() => folder[Symbol.dispose]());

/** The status for a wrong token, and how long it took. */
async function guess(i: number): Promise<{ readonly status: number; readonly ms: number }> {
  const started = performance.now();
  const { status } = await server.get("/api/status", { Authorization: `Bearer wrong-${i}` });
  return { status, ms: performance.now() - started };
}

async function right(): Promise<{ readonly status: number; readonly ms: number }> {
  const started = performance.now();
  const { status } = await server.get("/api/status");
  return { status, ms: performance.now() - started };
}

async function many<T>(count: number, work: (i: number) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (let i = 0; i < count; i++) done.push(await work(i));
  return done;
}

/** Each stays in the kernel's table for a minute. */
async function closeMany(count: number): Promise<void> {
  const listener = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  for (let i = 0; i < count; i++) {
    const socket = connect(port, "127.0.0.1").resume();
    await once(socket, "close");
  }
  listener.close();
}

describe("interfaces HTTP: ten wrong tokens in a row slow their sender down", () => {
  it("answers ten at once, then each later, and a right one at once", async () => {
    await using own = await Server.start(folder);
    server = own;
    const first = await many(LIMITS.wrongTokens, guess);
    expect(first.map(({ status }) => status)).toEqual(Array(LIMITS.wrongTokens).fill(401));
    const eleventh = await guess(11);
    const twelfth = await guess(12);
    expect([eleventh.status, twelfth.status]).toEqual([401, 401]);
    expect(eleventh.ms).toBeGreaterThan(990);
    expect(twelfth.ms).toBeGreaterThan(1_990);
    // A right token does not wait for those that are being delayed.
    const slow = guess(13);
    const answered = await right();
    expect(answered.status).toBe(200);
    expect(answered.ms).toBeLessThan(Math.min((await slow).ms, 10_000));
  });

  it("counts wrong tokens in a row: a right one of the same user resets the count", async ({ skip }) => {
    skip(process.platform !== "linux", "which user a connection is of is known on Linux alone");
    await using own = await Server.start(folder);
    server = own;
    for (let round = 0; round < 3; round++) {
      const wrong = await many(LIMITS.wrongTokens - 1, guess);
      expect(
        wrong.every(({ status, ms }) => status === 401 && ms < 900),
        JSON.stringify(wrong),
      ).toBe(true);
      expect((await right()).status).toBe(200);
    }
  });

  it("finds the user of a connection among thousands that were closed", async ({ skip }) => {
    skip(process.platform !== "linux", "which user a connection is of is known on Linux alone");
    await using own = await Server.start(folder);
    server = own;
    await closeMany(3_000);
    for (let round = 0; round < 2; round++) {
      const wrong = await many(LIMITS.wrongTokens - 1, guess);
      expect(Math.max(...wrong.map(({ ms }) => ms))).toBeLessThan(900);
      expect((await right()).status).toBe(200);
    }
  });

  it("delays a few and answers the others with 429, so that they do not use up connections", async () => {
    await using own = await Server.start(folder);
    server = own;
    await many(LIMITS.wrongTokens, guess);
    const flood = Promise.all(Array.from({ length: 150 }, (_, i) => guess(i)));
    const answered = await right();
    const statuses = (await flood).map(({ status }) => status);
    expect(answered.status).toBe(200);
    expect(answered.ms).toBeLessThan(10_000);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(50);
    const { headers } = await server.get("/api/status", { Authorization: "Bearer x" });
    expect(headers.get("www-authenticate") ?? headers.get("retry-after")).not.toBeNull();
  });

  it("does not count a request without a token, which guesses nothing", async () => {
    await using own = await Server.start(folder);
    server = own;
    const started = performance.now();
    await many(30, () => fetch(`${server.url}/api/status`));
    expect((await guess(1)).status).toBe(401);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it("of one user slows no wrong one of another", async ({ skip }) => {
    const options = { uid: 54_321, gid: 54_321, cwd: "/", env: {} };
    const canBeOther =
      process.getuid?.() === 0 && spawnSync(process.execPath, ["-e", "0"], options).status === 0;
    skip(!canBeOther, "only root can be another user, who must be able to start this Node");
    await using own = await Server.start(folder);
    server = own;
    const program = `for (let i = 0; i < 11; i++) await fetch("${server.url}/api/status", { headers: { Authorization: "Bearer x" + i } })`;
    const { status } = spawnSync(process.execPath, ["--input-type=module", "-e", program], options);
    expect(status).toBe(0);
    expect((await guess(1)).ms).toBeLessThan(900);
  });
});
