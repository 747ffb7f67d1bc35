import { appendEvents } from "../../audit/chain.ts";
import { openStore } from "../../store/open-store.ts";
import type { Store } from "../../store/store.ts";
import type { Contents } from "../contents.ts";
import { openContents } from "../open-contents.ts";
import type { ContentsUnderTest } from "./contract.ts";

/** Contents in a schema of a PostgreSQL server. */
export async function openPostgresScene(url: string): Promise<ContentsUnderTest> {
  const open = (): Promise<Store> => openStore(url, { actor: "test", record: appendEvents });
  const [store, again] = [await open(), await open()];
  const contents = (of: Store): Promise<Contents> => openContents("postgres", of) as Promise<Contents>;
  return {
    contents: await contents(store),
    other: await contents(again),
    store,
    truncate: async (sha256) => {
      await store.db.run("DELETE FROM content_parts WHERE sha256 = ? AND part > 0", [sha256]);
    },
    damage: async (sha256) => {
      const sql =
        "UPDATE content_parts SET bytes = set_byte(bytes, 9, 255 - get_byte(bytes, 9)) WHERE sha256 = ? AND part = 0";
      await store.db.run(sql, [sha256]);
    },
    age: async (sha256, ms) => {
      const at = new Date(store.now().getTime() - ms).toISOString();
      await store.db.run("UPDATE contents SET created_at = ? WHERE sha256 = ?", [at, sha256]);
    },
    async [Symbol.asyncDispose]() {
      await store.db.close();
      await again.db.close();
    },
  };
}
