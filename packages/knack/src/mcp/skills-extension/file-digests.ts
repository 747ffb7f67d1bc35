import { isUtf8 } from "node:buffer";
import { type Stats, statSync } from "node:fs";
import { readContained } from "@knack/core/internal";

export interface FileDigest {
  readonly sha256: string;
  readonly size: number;
}

/** A file that changed so lately may change again and bear the same time stamp. */
const FRESH_MS = 2_000;
const MAX_KNOWN = 200_000;

/** The digests of skills' files: a file is read again only when its identity says that it is another. */
export class FileDigests {
  readonly #known = new Map<string, FileDigest & { readonly identity: string }>();

  /** Undefined where the file is not served. */
  of(dir: string, file: string, validation: "strict" | "lenient", maxBytes: number): FileDigest | undefined {
    const key = `${dir}\0${file}`;
    const before = this.#known.get(key);
    if (before && before.identity === identityAt(`${dir}/${file}`)) return before;
    const content = readContained(dir, file, { maxBytes, validation });
    if ("refusal" in content || content.sha256 === undefined) return undefined;
    const { sha256, size, stats } = content;
    this.#known.delete(key);
    if (Date.now() - Math.max(stats.mtimeMs, stats.ctimeMs) > FRESH_MS) {
      const [oldest] = this.#known.keys();
      if (this.#known.size >= MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
      this.#known.set(key, { sha256, size, identity: identityOf(stats) });
    }
    return { sha256, size };
  }
}

function identityAt(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && identityOf(stats);
}

function identityOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(":");
}

/** Text where nothing is lost by calling it so. */
export function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}
