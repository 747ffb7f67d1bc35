/**
 * The thread that watches over a guest from inside: a parser that is busy hears nothing itself. It ends the process when its
 * host is gone, and when it uses more memory than it may; the host is told that first. It is text because it has to be there
 * from source, from the built package and from the program's bundle alike.
 */
export const GUEST_WATCH = `
const { writeSync } = require("node:fs");
const { workerData } = require("node:worker_threads");
const { host, maxBytes, overMemory, busy } = workerData;

for (;;) {
  // Zero while it waits for work, and then a look now and again is enough.
  Atomics.wait(busy, 0, 0, 500);
  if (busy[0] === 1) Atomics.wait(busy, 0, 1, 10);
  const isOver = busy[0] === 1 && process.memoryUsage.rss() > maxBytes;
  if (!isOver && (process.platform === "win32" || process.ppid === host)) continue;
  try {
    if (isOver) writeSync(3, overMemory);
  } finally {
    process.kill(process.pid, "SIGKILL");
  }
}
`;
