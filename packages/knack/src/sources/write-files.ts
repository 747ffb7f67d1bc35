import { closeSync, constants, fchmodSync, openSync, writeSync } from "node:fs";
import { KnackError } from "@knack/core";
import { systemCode, writeError } from "@knack/core/files";
import { quote } from "@knack/core/text";
import { bytesText, type Entry, LIMITS } from "./source.ts";

/** Where bytes go, one part after the other. */
export interface Sink {
  write(part: Uint8Array): void;
  close(): void;
}

/** Counts what is really written: a source can say any size. */
export class Budget {
  #total = 0;

  add(bytes: number): void {
    this.#total += bytes;
    if (this.#total > LIMITS.totalBytes)
      throw tooLarge("The skills have", LIMITS.totalBytes, "Choose fewer with --skill.");
  }
}

export function tooLarge(what: string, limit: number, step = "Nothing was changed."): KnackError {
  return new KnackError("EXECUTION_ERROR", `${what} more than ${bytesText(limit)}, the limit. ${step}`);
}

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** New files that all get the same bytes. Of its mode only the executable bit stays. */
export function openFiles(paths: readonly string[], entry: Entry, budget: Budget): Sink {
  const open: { readonly path: string; readonly descriptor: number }[] = [];
  let bytes = 0;
  const close = (): void => {
    for (const { descriptor } of open.splice(0)) closeSync(descriptor);
  };
  const trying = (path: string, work: () => void): void => {
    try {
      work();
    } catch (error) {
      close();
      throw writeError(path, systemCode(error));
    }
  };
  for (const path of paths)
    trying(path, () => {
      const descriptor = openSync(path, NEW, 0o600);
      open.push({ path, descriptor });
      fchmodSync(descriptor, entry.isExecutable ? 0o755 : 0o644);
    });
  return {
    write: (part) => {
      bytes += part.length;
      if (bytes > LIMITS.fileBytes) {
        close();
        throw tooLarge(`${quote(entry.path)} has`, LIMITS.fileBytes);
      }
      for (const { path, descriptor } of open) {
        budget.add(part.length);
        trying(path, () => {
          for (let done = 0; done < part.length; ) done += writeSync(descriptor, part, done);
        });
      }
    },
    close,
  };
}
