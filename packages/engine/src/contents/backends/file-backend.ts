import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  futimesSync,
  lstatSync,
  readdirSync,
  renameSync,
  unlinkSync,
  write,
} from "node:fs";
import { promisify } from "node:util";
import { systemCode } from "@knack/core/internal/engine";
import { removeIfThere } from "../../artifacts/claim-name.ts";
import { Folder, PathRefused } from "../../artifacts/folder.ts";
import { Leftovers } from "../../artifacts/leftovers.ts";
import { ownName, TEMPORARY, TEMPORARY_END } from "../../artifacts/own-name.ts";
import { StoreError } from "../../store/store-error.ts";
import { fileBytes } from "../file-bytes.ts";
import type { Digest, StoredContent } from "../verified.ts";
import type { Backend } from "./backend.ts";

const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
const writeAsync = promisify(write);

/**
 * Contents as files of a folder that machines share: `<store>/ab/cdef…`. Below the folder no link is followed. Each store
 * has a folder of its own, because only its records say what may be removed.
 */
export class FileBackend implements Backend {
  readonly #root: string;
  readonly #storeId: string;
  readonly #now: () => Date;
  readonly #leftovers = new Leftovers();

  constructor(root: string, storeId: string, now: () => Date) {
    this.#root = root;
    this.#storeId = storeId;
    this.#now = now;
  }

  get shown(): string {
    return this.#root;
  }

  async find(sha256: string): Promise<StoredContent | null> {
    return this.#told(() => {
      const fd = this.#open(sha256);
      if (fd === undefined) return null;
      try {
        return contentOf(sha256, fd);
      } finally {
        closeSync(fd);
      }
    });
  }

  async renew({ sha256, size }: Digest, at: Date): Promise<boolean> {
    return this.#told(() => {
      const fd = this.#open(sha256);
      if (fd === undefined) return false;
      try {
        if (contentOf(sha256, fd)?.size !== size) return false;
        futimesSync(fd, at, at);
        return true;
      } catch (error) {
        // Another user's file keeps its time; a file of our own takes its place.
        if (systemCode(error) === "EPERM" || systemCode(error) === "EACCES") return false;
        throw error;
      } finally {
        closeSync(fd);
      }
    });
  }

  async write({ sha256 }: Digest, bytes: () => AsyncIterable<Uint8Array>): Promise<void> {
    await this.#told(async () => {
      const [first, rest] = split(sha256);
      using folder = this.#folder([first], true);
      if (!folder) return;
      await this.#leftovers.sweepOnce(folder.at("."), TEMPORARY, TEMPORARY_END, first);
      const temporary = ownName(TEMPORARY, TEMPORARY_END);
      const fd = folder.openFile(temporary, CREATE, 0o644);
      try {
        try {
          for await (const piece of bytes()) await writeAll(fd, piece);
          const at = this.#now();
          futimesSync(fd, at, at);
          fsyncSync(fd);
        } finally {
          closeSync(fd);
        }
        renameSync(folder.at(temporary), folder.at(rest));
        folder.sync();
      } finally {
        removeIfThere(folder.at(temporary));
      }
    });
  }

  async read(sha256: string): Promise<AsyncIterable<Uint8Array> | null> {
    return (await this.find(sha256)) && this.#pieces(sha256);
  }

  async *list(): AsyncGenerator<StoredContent> {
    for (const first of this.#names([]).filter((name) => /^[0-9a-f]{2}$/.test(name)))
      for (const rest of this.#names([first]).filter((name) => /^[0-9a-f]{62}$/.test(name))) {
        const found = await this.find(`${first}${rest}`);
        if (found) yield found;
      }
  }

  async remove(sha256: string): Promise<void> {
    this.#told(() => {
      const [first, rest] = split(sha256);
      using folder = this.#folder([first], false);
      if (folder && lstatSync(folder.at(rest), { throwIfNoEntry: false })) unlinkSync(folder.at(rest));
      folder?.sync();
    });
  }

  async sweep(): Promise<void> {
    const leftovers = new Leftovers();
    for (const first of this.#names([])) {
      using folder = this.#folder([first], false);
      if (folder) await leftovers.sweepOnce(folder.at("."), TEMPORARY, TEMPORARY_END, first);
    }
  }

  #names(below: readonly string[]): string[] {
    return this.#told(() => {
      using folder = this.#folder(below, false);
      return folder ? readdirSync(folder.at(".")).sort() : [];
    });
  }

  #folder(below: readonly string[], create: boolean): Folder | undefined {
    try {
      return Folder.open(this.#root, [this.#storeId, ...below], create);
    } catch (error) {
      if (error instanceof PathRefused && error.isAbsent) return undefined;
      throw error;
    }
  }

  #open(sha256: string): number | undefined {
    const [first, rest] = split(sha256);
    using folder = this.#folder([first], false);
    try {
      return folder?.openFile(rest, READ);
    } catch (error) {
      // A link or a folder there is no content; the next write puts a file in its place.
      if (error instanceof PathRefused || systemCode(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Opens the file when the first bytes are asked for. One that is gone by then has none. */
  async *#pieces(sha256: string): AsyncGenerator<Uint8Array> {
    try {
      const fd = this.#open(sha256);
      if (fd !== undefined) yield* fileBytes(fd);
    } catch (error) {
      throw this.#error(error);
    }
  }

  #told<T>(work: () => T): T {
    try {
      const result = work();
      if (!(result instanceof Promise)) return result;
      return result.catch((error: unknown) => {
        throw this.#error(error);
      }) as T;
    } catch (error) {
      throw this.#error(error);
    }
  }

  #error(error: unknown): unknown {
    if (error instanceof PathRefused) return new StoreError("IO", `${this.#root}: ${error.message}`);
    const code = error instanceof Error && "syscall" in error ? systemCode(error) : undefined;
    if (code === undefined) return error;
    if (code === "ENOENT")
      return new StoreError(
        "IO",
        `${this.#root} does not exist. Create or mount the folder that artifacts.url names.`,
      );
    const kind =
      code === "ENOSPC" || code === "EDQUOT"
        ? "DISK_FULL"
        : code === "EROFS" || code === "EACCES"
          ? "READONLY"
          : "IO";
    return new StoreError(kind, `${this.#root}: the content cannot be read or written (${code}).`, {
      cause: error,
    });
  }
}

function split(sha256: string): [first: string, rest: string] {
  return [sha256.slice(0, 2), sha256.slice(2)];
}

function contentOf(sha256: string, fd: number): StoredContent | null {
  const stats = fstatSync(fd);
  return stats.isFile() ? { sha256, size: stats.size, createdAt: stats.mtime.toISOString() } : null;
}

async function writeAll(fd: number, piece: Uint8Array): Promise<void> {
  for (let done = 0; done < piece.length; ) {
    const { bytesWritten } = await writeAsync(fd, piece, done, piece.length - done, null);
    done += bytesWritten;
  }
}
