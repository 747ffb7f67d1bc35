import { openStore } from "../../../store/open-store.ts";
import { openContents } from "../../open-contents.ts";

/**
 * Puts or reads a content of the given number of bytes in one process: `store artifacts size digest put|read|hang`. It prints the
 * most memory that it had more than before. `hang` waits for ever in the middle.
 */
const [storeUrl = "", artifacts = "", sizeText = "", sha256 = "", what = ""] = process.argv.slice(2);
const size = Number(sizeText);
const CHUNK = 64 * 1024;

async function* bytes(): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; at += CHUNK) {
    if (what === "hang" && at >= size / 2) {
      console.log("half");
      setInterval(() => undefined, 1000);
      await new Promise(() => undefined);
    }
    yield Buffer.alloc(Math.min(CHUNK, size - at), (at / CHUNK) % 251);
  }
}

const store = await openStore(storeUrl, { actor: "test", record: async () => undefined });
const contents = await openContents(artifacts, store);
if (!contents) throw new Error("There are no contents.");
// Loads what the backend needs, so that only the bytes are measured.
await contents.has(sha256);
const rss = (): number => process.memoryUsage.rss();
const before = rss();
let most = 0;
const watch = (): void => {
  most = Math.max(most, rss() - before);
};
const timer = setInterval(watch, 5);
if (what === "read") {
  let count = 0;
  for await (const piece of (await contents.open(sha256)) ?? []) {
    count += piece.length;
    watch();
  }
  if (count !== size) throw new Error(`There were ${count} bytes.`);
} else await contents.put({ sha256, size }, bytes);
watch();
clearInterval(timer);
console.log(most);
await store.db.close();
process.exit();
