import { closeSync, openSync, readdirSync, readSync, truncateSync, utimesSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "@knack/core/testing";
import { appendEvents } from "../../audit/chain.ts";
import { openStore } from "../../store/open-store.ts";
import type { Contents } from "../contents.ts";
import { openContents } from "../open-contents.ts";
import type { ContentsUnderTest } from "./contract.ts";
import type { S3Server } from "./s3-server.ts";

/** Contents in a bucket, for a store in SQLite. Sets the variables of AWS in this process. */
export async function openS3Scene(server: S3Server, prefix: string): Promise<ContentsUnderTest> {
  Object.assign(process.env, server.env);
  const folder = makeFolder();
  const store = await openStore(`sqlite:${folder.at("state.db")}`, { actor: "test", record: appendEvents });
  const open = async (): Promise<Contents> => (await openContents(`s3://knack/${prefix}`, store)) as Contents;
  // The server keeps objects as files.
  const files = (sha256: string): string[] =>
    readdirSync(server.folder, { recursive: true, encoding: "utf8" })
      .filter((path) => path.includes(prefix) && path.includes(`${sha256.slice(0, 2)}/${sha256.slice(2)}`))
      .map((path) => join(server.folder, path));
  const object = (sha256: string): string => files(sha256).find((path) => path.endsWith("_object")) as string;
  return {
    contents: await open(),
    other: await open(),
    store,
    truncate: async (sha256) => truncateSync(object(sha256), 1_000_000),
    damage: async (sha256) => flipByte(object(sha256), 1000),
    age: async (sha256, ms) => {
      const at = new Date(Date.now() - ms);
      utimesSync(object(sha256), at, at);
    },
    async [Symbol.asyncDispose]() {
      await store.db.close();
      folder[Symbol.dispose]();
    },
  };
}

function flipByte(file: string, at: number): void {
  const fd = openSync(file, "r+");
  const byte = Buffer.alloc(1);
  readSync(fd, byte, 0, 1, at);
  writeSync(fd, Buffer.from([(byte[0] ?? 0) ^ 1]), 0, 1, at);
  closeSync(fd);
}
