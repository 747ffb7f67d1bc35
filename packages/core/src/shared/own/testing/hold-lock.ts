import { withLockBlocking } from "../lock.ts";

/** Holds the lock of a file, says so, and goes on holding it. */
withLockBlocking(process.argv[2] ?? "", () => {
  process.stdout.write("held\n");
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
});
