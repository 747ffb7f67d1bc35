import { execFileSync, spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../store/open-store.ts";
import type { SharedServer } from "../store/testing/postgres/server.ts";
import { sharedServer } from "../store/testing/postgres/shared-server.ts";
import type { Contents } from "./contents.ts";
import { openContents } from "./open-contents.ts";
import { allOf } from "./testing/contract.ts";
import { S3Server } from "./testing/s3-server.ts";

const CHILD = join(import.meta.dirname, "testing", "children", "put-child.ts");
const MB = 1_000_000;
const CHUNK = 64 * 1024;
/**
 * A content, and how much memory it may take: 50 MB and 200 MB both take up to 45 (parts, their copies, and what the collector
 * has not freed yet), so only a large one tells that from a content that is in memory as a whole.
 */
const LARGE_MB = 150;
const MAX_MORE_MB = 75;

let postgres: SharedServer;
let s3: S3Server;
beforeAll(async () => {
  [postgres, s3] = await Promise.all([sharedServer("18"), S3Server.start()]);
  Object.assign(process.env, s3.env);
});
afterAll(async () => {
  await s3?.[Symbol.asyncDispose]();
});

/** What the child makes, a piece at a time. */
function digestOfChild(size: number): string {
  const hash = createHash("sha256");
  for (let at = 0; at < size; at += CHUNK)
    hash.update(Buffer.alloc(Math.min(CHUNK, size - at), (at / CHUNK) % 251));
  return hash.digest("hex");
}

const NODE = ["--conditions=knack-source", "--max-semi-space-size=4", "--max-old-space-size=64"];

describe.each(["postgres", "s3"] as const)("processes and contents in %s", (kind) => {
  const urls = {
    postgres: () => "postgres",
    s3: () => `s3://knack/${randomUUID()}`,
  };

  async function withContents(
    work: (contents: Contents, args: readonly string[]) => Promise<void>,
  ): Promise<void> {
    const [storeUrl, artifacts] = [postgres.url(), urls[kind]()];
    const store = await openStore(storeUrl, { actor: "test", record: async () => undefined });
    try {
      await work((await openContents(artifacts, store)) as Contents, [storeUrl, artifacts]);
    } finally {
      await store.db.close();
    }
  }

  it("put and read a large content in bounded memory", () =>
    withContents(async (contents, args) => {
      const size = LARGE_MB * MB;
      const sha256 = digestOfChild(size);
      const run = (what: string): number => {
        const all = [...NODE, CHILD, ...args, String(size), sha256, what];
        return Number(execFileSync(process.execPath, all, { encoding: "utf8" })) / MB;
      };
      const [put, read] = [run("put"), run("read")];
      expect(await contents.has(sha256)).toBe(true);
      expect(Math.max(put, read)).toBeLessThan(MAX_MORE_MB);
    }));

  it("a process that is killed in the middle leaves nothing that can be read, and no lock", () =>
    withContents(async (contents, args) => {
      const size = 20 * MB;
      const sha256 = digestOfChild(size);
      const child = spawn(process.execPath, [...NODE, CHILD, ...args, String(size), sha256, "hang"], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(child.stdout, "data");
      expect(await contents.has(sha256)).toBe(false);
      const closed = once(child, "close");
      child.kill("SIGKILL");
      await closed;
      expect(await contents.has(sha256)).toBe(false);
      expect(await contents.open(sha256)).toBeNull();
      expect(await allOf(contents.list())).toEqual([]);
      execFileSync(process.execPath, [...NODE, CHILD, ...args, String(size), sha256, "put"]);
      expect(await contents.has(sha256)).toBe(true);
      await contents.sweep(new Date(Date.now() + 60_000));
    }));
});
