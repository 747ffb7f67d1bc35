/** The system's own count: `performance.now()` begins with the process. */
export function monotonic(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}
