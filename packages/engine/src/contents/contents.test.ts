import { makeFolder } from "@knack/core/testing";
import { describe, expect, it } from "vitest";
import { appendEvents } from "../audit/chain.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { inParts } from "./contents.ts";
import { openContents } from "./open-contents.ts";
import { pieces } from "./testing/contract.ts";

async function withStore(work: (store: Store) => Promise<void>): Promise<void> {
  using folder = makeFolder();
  const store = await openStore(`sqlite:${folder.at("state.db")}`, { actor: "test", record: appendEvents });
  await work(store).finally(() => store.db.close());
}

describe("artifacts.url", () => {
  it("null with SQLite is nothing, so that artifacts are local files alone", async () => {
    await withStore(async (store) => expect(await openContents(null, store)).toBeNull());
  });

  it.each([
    ["postgres", "needs a store in PostgreSQL"],
    ["ftp://x/y", "is not supported"],
    ["file:///srv/artifacts", "is not supported"],
  ])("%s with SQLite is an error of the configuration", async (url, message) => {
    await withStore((store) =>
      expect(openContents(url, store)).rejects.toMatchObject({
        code: "CONFIG_INVALID",
        message: expect.stringContaining(message),
      }),
    );
  });
});

describe("parts of a stream", () => {
  it.each([0, 1, 9, 10, 11, 20, 25])("hold all of %d bytes, in parts of 10", async (size) => {
    const bytes = Buffer.from(Array.from({ length: size }, (_, i) => i));
    for (const piece of [1, 3, 10, 100]) {
      const parts: Buffer[] = [];
      for await (const part of inParts(pieces(bytes, piece), 10)) parts.push(Buffer.from(part));
      expect(Buffer.concat(parts).equals(bytes)).toBe(true);
      expect(parts.slice(0, -1).every((part) => part.length === 10)).toBe(true);
      expect(parts.every((part) => part.length > 0)).toBe(true);
    }
  });
});
