import { closeSync, mkdirSync, openSync, readSync, truncateSync, utimesSync, writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { makeFolder } from "@knack/core/testing";
import { appendEvents } from "../../audit/chain.ts";
import { openStore } from "../../store/open-store.ts";
import type { Contents } from "../contents.ts";
import { openContents } from "../open-contents.ts";
import type { ContentsUnderTest } from "./contract.ts";

export interface FileScene extends ContentsUnderTest {
  readonly folder: string;
  readonly url: string;
  pathOf(sha256: string): Promise<string>;
}

/** Contents in a shared folder, for a store in `url` or in SQLite. */
export async function openFileScene(url?: string): Promise<FileScene> {
  const folder = makeFolder();
  mkdirSync(folder.at("shared"));
  const store = await openStore(url ?? `sqlite:${folder.at("state.db")}`, {
    actor: "test",
    record: appendEvents,
  });
  const shared = pathToFileURL(folder.at("shared")).href;
  const open = async (): Promise<Contents> => (await openContents(shared, store)) as Contents;
  const pathOf = async (sha256: string): Promise<string> => {
    const id = String((await store.db.get("SELECT store_id FROM store_identity"))?.store_id);
    return join(folder.at("shared"), id, sha256.slice(0, 2), sha256.slice(2));
  };
  return {
    contents: await open(),
    other: await open(),
    store,
    folder: folder.at("shared"),
    url: shared,
    pathOf,
    truncate: async (sha256) => truncateSync(await pathOf(sha256), 1_000_000),
    damage: async (sha256) => flipByte(await pathOf(sha256), 1000),
    age: async (sha256, ms) => {
      const at = new Date(store.now().getTime() - ms);
      utimesSync(await pathOf(sha256), at, at);
    },
    async [Symbol.asyncDispose]() {
      await store.db.close();
      folder[Symbol.dispose]();
    },
  };
}

export function flipByte(file: string, at: number): void {
  const fd = openSync(file, "r+");
  const byte = Buffer.alloc(1);
  readSync(fd, byte, 0, 1, at);
  writeSync(fd, Buffer.from([(byte[0] ?? 0) ^ 1]), 0, 1, at);
  closeSync(fd);
}
