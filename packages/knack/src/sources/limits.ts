const MIB = 1024 * 1024;

/** What a source may be and still be taken. docs/add.md has the same figures. */
export const LIMITS = {
  /** All files of the skills that are taken, together. */
  totalBytes: 256 * MIB,
  fileBytes: 64 * MIB,
  files: 10_000,
  /** Folders above a file, within its skill. */
  depth: 32,
  pathLength: 400,
  /** Files of a whole repository or archive; most of them belong to no skill. */
  entries: 250_000,
  /** What a server sends: a pack of git, an archive. */
  downloadBytes: 512 * MIB,
  /** What an archive unpacks to, with the parts that no skill needs. */
  unpackedBytes: 2_048 * MIB,
  skillFileBytes: 1 * MIB,
  milliseconds: 10 * 60 * 1000,
} as const;

/** "64 MiB", "1.5 KiB": a size for people. */
export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  let value = bytes / 1024;
  let unit = 0;
  for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024;
  return `${value >= 100 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
