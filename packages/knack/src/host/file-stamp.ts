import { statSync } from "node:fs";

/** Another text as soon as one of the files is another, came or went. */
export function stampOf(files: readonly string[]): string {
  const stats = files.map((file) => statSync(file, { throwIfNoEntry: false, bigint: true }));
  return stats.map((one) => (one ? `${one.ino}.${one.size}.${one.mtimeNs}.${one.ctimeNs}` : "-")).join();
}
