import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Folder } from "../../packages/core/src/testing/files.ts";
import { findAccessToken } from "../../packages/engine/src/store/access/access-tokens.ts";
import { openSqlite } from "../../packages/engine/src/store/sqlite/sqlite.ts";
import { LIMITS } from "../../packages/knack/src/http/server/limits.ts";
import { Server } from "../http/server.ts";
import { ask } from "./certificate.ts";
import { addToken, bearer, makeTeamProject } from "./team.ts";

let folder: Folder;
let alice: string;

beforeAll(() => {
  folder = makeTeamProject();
  alice = addToken(folder, "alice", "reader");
});
afterAll(() => folder[Symbol.dispose]());

const wrong = (): string => `knack_${randomBytes(32).toString("base64url")}`;

describe("interfaces Team: a right token is answered within 10 s while wrong ones are slowed down", () => {
  it("slows 1,000 wrong tokens down, and answers each right one meanwhile", async () => {
    await using server = await Server.start(folder, { args: ["--listen", "127.0.0.1:0"] });
    const started = performance.now();
    const statuses: number[] = [];
    // As many at a time as a client may have connections; who gets 429 waits as long as it says.
    let left = 1_000;
    const guess = async (): Promise<void> => {
      while (left-- > 0) {
        const response = await server.get("/api/status", bearer(wrong()));
        await response.text();
        statuses.push(response.status);
      }
    };
    const guessing = Promise.all(Array.from({ length: 100 }, guess));
    const times: number[] = [];
    while (left > 0) {
      const begun = performance.now();
      expect((await server.get("/api/me", bearer(alice))).status).toBe(200);
      times.push(performance.now() - begun);
      await new Promise((done) => setTimeout(done, 100));
    }
    await guessing;
    const seconds = (performance.now() - started) / 1_000;
    const answered = statuses.filter((status) => status === 401).length;
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    // Ten at once, then those that wait for up to four seconds, sixteen at a time.
    expect(answered).toBeLessThanOrEqual(LIMITS.wrongTokens + LIMITS.slowed * (seconds + 1));
    expect(Math.max(...times)).toBeLessThan(10_000);
  });

  it("behind a proxy counts by the address that the proxy saw, and by nothing that a client wrote", async () => {
    const args = ["--listen", "127.0.0.1:0", "--behind-proxy", "https://knack.example.com"];
    await using server = await Server.start(folder, { args });
    const guess = async (forwarded: string): Promise<number> => {
      const headers = { Host: "knack.example.com", "X-Forwarded-For": forwarded, ...bearer(wrong()) };
      const begun = performance.now();
      await ask(folder, { port: server.port, isTls: false }, "/api/me", headers);
      return performance.now() - begun;
    };
    for (let i = 0; i < LIMITS.wrongTokens; i++) await guess(`10.0.0.${i}, 203.0.113.7`);
    expect(await guess("10.9.9.9, 203.0.113.7")).toBeGreaterThan(900);
    expect(await guess("203.0.113.7, 203.0.113.8")).toBeLessThan(900);
  });

  it("without a proxy ignores what a client says about its address", async () => {
    await using server = await Server.start(folder, { args: ["--listen", "127.0.0.1:0"] });
    const guess = async (i: number): Promise<number> => {
      const begun = performance.now();
      await server.get("/api/me", { ...bearer(wrong()), "X-Forwarded-For": `203.0.113.${i}` });
      return performance.now() - begun;
    };
    for (let i = 0; i < LIMITS.wrongTokens; i++) await guess(i);
    expect(await guess(99)).toBeGreaterThan(900);
  });
});

describe("interfaces Team: requests of one token", () => {
  it("beyond its rate are 429 with Retry-After, and go on afterwards; others are not kept waiting", async () => {
    const loop = addToken(folder, "loop", "reader");
    await using server = await Server.start(folder, { args: ["--listen", "127.0.0.1:0"] });
    const many = await Promise.all(
      Array.from({ length: LIMITS.tokenRate.atOnce * 2 }, async () => {
        const response = await server.get("/api/me", bearer(loop));
        await response.text();
        return response;
      }),
    );
    const refused = many.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expect((await server.get("/api/me", bearer(alice))).status).toBe(200);
    // The user's own programs are not counted.
    expect((await server.get("/api/me")).status).toBe(200);
    await new Promise((done) => setTimeout(done, 1_000));
    expect((await server.get("/api/me", bearer(loop))).status).toBe(200);
  });
});

describe("interfaces Team: the comparison is timing-safe", () => {
  it("takes as long for a token that is wrong in its last character as for any other", async () => {
    const db = await openSqlite(folder.at("repo/.knack/state.db"));
    const near = `${alice.slice(0, -1)}${alice.endsWith("A") ? "B" : "A"}`;
    const far = `knack_${alice.slice(6).split("").reverse().join("")}`;
    const time = async (token: string): Promise<number> => {
      const begun = process.hrtime.bigint();
      await findAccessToken(db, token);
      return Number(process.hrtime.bigint() - begun);
    };
    const times = { near: [] as number[], far: [] as number[] };
    for (let i = 0; i < 5_000; i++) {
      times.near.push(await time(near));
      times.far.push(await time(far));
    }
    const median = (all: number[]): number => all.sort((a, b) => a - b)[all.length / 2] ?? 0;
    const ratio = median(times.near.slice(500)) / median(times.far.slice(500));
    expect(ratio).toBeGreaterThan(0.9);
    expect(ratio).toBeLessThan(1.1);
    await db.close();
  });
});
