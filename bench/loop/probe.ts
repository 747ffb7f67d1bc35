import { writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

/** Loaded into a process by `--import`: on SIGUSR2 it writes how late the event loop was since the last time, in milliseconds. */
const file = process.env.KNACK_BENCH_LOOP;
if (isMainThread && file) {
  delete process.env.KNACK_BENCH_LOOP; // Not for the programs that it starts.
  const delays = monitorEventLoopDelay();
  delays.enable();
  process.on("SIGUSR2", () => {
    const [p50, p99, max] = [delays.percentile(50), delays.percentile(99), delays.max].map((ns) => ns / 1e6);
    writeFileSync(file, JSON.stringify({ p50, p99, max }));
    delays.reset();
  });
}
