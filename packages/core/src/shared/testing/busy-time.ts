/** How long this thread is busy with some work, in milliseconds: what others take of the machine does not count. */
export function busyTime<T>(work: () => T): { readonly ms: number; readonly result: T } {
  const before = process.threadCpuUsage();
  const result = work();
  const { user, system } = process.threadCpuUsage(before);
  return { ms: (user + system) / 1000, result };
}
