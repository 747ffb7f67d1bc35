import { createHash, randomBytes } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { findAccessToken } from "../../packages/engine/src/store/access/access-tokens.ts";
import type { Database, Parameter } from "../../packages/engine/src/store/database.ts";
import { openSqlite } from "../../packages/engine/src/store/sqlite/sqlite.ts";
import { LIMITS } from "../../packages/knack/src/http/server/limits.ts";
import { stateOf } from "../cli/typed-skills.ts";
import { Server } from "../http/server.ts";
import { addToken, bearer, makeTeamProject } from "./team.ts";

const folder = makeTeamProject();
const alice = addToken(folder, "alice", "reader");
afterAll(() => folder[Symbol.dispose]());

const wrong = (): string => `knack_${randomBytes(32).toString("base64url")}`;

async function statusWith(server: Server, headers: Record<string, string>): Promise<number> {
  const response = await server.get("/api/status", headers);
  await response.text();
  return response.status;
}

const guess = (server: Server): Promise<number> => statusWith(server, bearer(wrong()));

describe("interfaces HTTP: many wrong tokens are refused with 429", () => {
  it("counts all senders together, and answers each right token meanwhile", async () => {
    await using server = await Server.start(folder, { args: ["--listen", "127.0.0.1:0"] });
    const statuses: number[] = [];
    // A slow machine may send fewer a second than are counted: then more are sent.
    await expect
      .poll(async () => {
        const guesses = Array.from({ length: 10 * LIMITS.wrongTokenRate.atOnce }, () => guess(server));
        expect(await statusWith(server, bearer(alice))).toBe(200);
        statuses.push(...(await Promise.all(guesses)));
        return statuses;
      })
      .toContain(429);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(await statusWith(server, server.bearer)).toBe(200);
  });

  it("says when to try again, and goes on afterwards", async () => {
    await using server = await Server.start(folder);
    const answers = await Promise.all(
      Array.from({ length: 10 * LIMITS.wrongTokenRate.atOnce }, () => server.get("/api/me", bearer(wrong()))),
    );
    for (const { status, headers } of answers)
      expect(headers.get(status === 429 ? "retry-after" : "www-authenticate")).not.toBeNull();
    await expect.poll(() => guess(server)).toBe(401);
  });

  it("does not count a request without a token, which guesses nothing", async () => {
    await using server = await Server.start(folder);
    for (let i = 0; i < 2 * LIMITS.wrongTokenRate.atOnce; i++)
      await (await fetch(`${server.url}/api/status`)).text();
    expect(await guess(server)).toBe(401);
  });
});

describe("interfaces Team: requests of one token", () => {
  it("beyond its rate are 429 with Retry-After, and go on afterwards; others are not kept waiting", async () => {
    const loop = addToken(folder, "loop", "reader");
    await using server = await Server.start(folder, { args: ["--listen", "127.0.0.1:0"] });
    const ofLoop = async (): Promise<Response> => {
      const response = await server.get("/api/me", bearer(loop));
      await response.text();
      return response;
    };
    // A slow machine sends fewer a second than a token may: then the rate is never reached, and more are sent.
    await expect
      .poll(async () => {
        const many: Response[] = [];
        // No more at a time than the server takes connections.
        while (many.length < LIMITS.tokenRate.atOnce * 2)
          many.push(...(await Promise.all(Array.from({ length: 100 }, ofLoop))));
        return many.find(({ status }) => status === 429)?.headers.get("retry-after");
      })
      .toMatch(/^[1-9]\d*$/);
    expect((await server.get("/api/me", bearer(alice))).status).toBe(200);
    // The user's own programs are not counted.
    expect((await server.get("/api/me")).status).toBe(200);
    await expect.poll(async () => (await ofLoop()).status).toBe(200);
  });
});

describe("interfaces Team: the comparison is timing-safe", () => {
  it("asks the database for the digest of a token, of which nobody can guess one character after another", async () => {
    const db = await openSqlite(stateOf(folder));
    const asked: unknown[] = [];
    const recording: Database = Object.assign(Object.create(db) as Database, {
      all: (sql: string, values?: readonly Parameter[]) => {
        asked.push(...(values ?? []));
        return db.all(sql, values);
      },
    });
    expect(await findAccessToken(recording, alice)).toMatchObject({ name: "alice" });
    expect(asked).toEqual([createHash("sha256").update(alice).digest("hex")]);
    await db.close();
  });
});
