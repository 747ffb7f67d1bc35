/** Loads what reads files, for a process that waits for one. What cannot be loaded is told when it is needed. */
export async function preload(): Promise<void> {
  const pdf = import("unpdf").then(({ getResolvedPDFJS }) => getResolvedPDFJS());
  await Promise.allSettled([pdf]);
  await Promise.allSettled([import("mammoth"), import("htmlparser2"), import("liquidjs")]);
}
