import { closeSync, constants, fsyncSync, lstatSync, mkdirSync, openSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "@knack/core/files";
import { codeOf, KnackError } from "@knack/core/text";

/** Whether an error says that something may not be where it should go. NOT_FOUND, nothing is there, is the only harmless reason. */
export function isRefusal(error: unknown): error is KnackError {
  const code = codeOf(error);
  return code === "CONFLICT" || code === "NOT_FOUND";
}

const NOFOLLOW = constants.O_NOFOLLOW ?? 0;
const AS_FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | NOFOLLOW;

/** An open folder. On Linux its entries are reached through its descriptor, so replacing a folder above it has no effect. */
export class Folder implements Disposable {
  readonly #fd: number;
  readonly #path: string;

  private constructor(fd: number, path: string) {
    this.#fd = fd;
    this.#path = path;
  }

  /** `root` itself may be reached through links; below it no component may be one. */
  static open(root: string, below: readonly string[], create: boolean): Folder {
    const real = realpathSync(root);
    let folder = new Folder(openSync(real, AS_FOLDER), real);
    for (const name of below) {
      using parent = folder;
      folder = parent.#into(name, create);
    }
    return folder;
  }

  /** A path for system calls; good as long as the folder is open. */
  at(name: string): string {
    return process.platform === "linux" ? `/proc/self/fd/${this.#fd}/${name}` : join(this.#path, name);
  }

  openToRead(name: string): number {
    return this.openFile(name, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  }

  /** Opens a file in the folder; never follows a link. */
  openFile(name: string, flags: number, mode?: number): number {
    if (NOFOLLOW === 0 && lstatSync(this.at(name), { throwIfNoEntry: false })?.isSymbolicLink())
      throw refused(name);
    try {
      return openSync(this.at(name), flags | NOFOLLOW, mode);
    } catch (error) {
      if (systemCode(error) === "ELOOP") throw refused(name);
      throw error;
    }
  }

  /** Makes the names in the folder durable. */
  sync(): void {
    // Windows has no such call for folders, and writes their entries through.
    if (process.platform !== "win32") fsyncSync(this.#fd);
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }

  #into(name: string, create: boolean): Folder {
    const there = this.#openFolder(name);
    if (there) return there;
    if (create) {
      try {
        mkdirSync(this.at(name));
      } catch (error) {
        // Another process may have made it in between.
        if (systemCode(error) !== "EEXIST") throw error;
      }
      this.sync();
    }
    const made = this.#openFolder(name);
    if (made) return made;
    throw new KnackError("NOT_FOUND", `"${name}" does not exist.`);
  }

  #openFolder(name: string): Folder | undefined {
    try {
      return new Folder(this.openFile(name, AS_FOLDER), join(this.#path, name));
    } catch (error) {
      const code = systemCode(error);
      if (code === "ENOENT") return undefined;
      // Linux says ENOTDIR of a link that must be a folder.
      throw code === "ENOTDIR" ? refused(name) : error;
    }
  }
}

function refused(name: string): KnackError {
  return new KnackError("CONFLICT", `"${name}" is a link or not a folder.`);
}
