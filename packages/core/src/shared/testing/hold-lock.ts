import { withLock } from "../lock.ts";

/** Holds the lock of a file, says so, and goes on holding it. */
const [userFolder = "", file = ""] = process.argv.slice(2);
await withLock(userFolder, file, async () => {
  process.stdout.write("held\n");
  await new Promise((resolve) => setTimeout(resolve, 1_000_000));
});
