import { renameSync, writeFileSync } from "node:fs";

/**
 * Loaded into a server under soak: SIGUSR2 makes it collect all garbage and write what is left. Resident memory alone
 * does not tell a leak from garbage that nobody has collected yet.
 */
process.on("SIGUSR2", () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  const file = `${process.env.KNACK_SOAK_LIVE}/${process.pid}`;
  writeFileSync(`${file}.new`, String(heapUsed + external));
  renameSync(`${file}.new`, file);
});
