import { expect } from "vitest";
import { isFullSuite } from "./cases.ts";

/**
 * The result of some work, which must not keep this thread busy for longer. Others on the machine do not count, but a slow
 * machine does: so only the full suite insists on the time.
 */
export function within<T>(milliseconds: number, work: () => T): T {
  const before = process.threadCpuUsage();
  const result = work();
  const { user, system } = process.threadCpuUsage(before);
  if (isFullSuite) expect((user + system) / 1000).toBeLessThan(milliseconds);
  return result;
}
