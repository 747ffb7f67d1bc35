import { closeSync, constants, copyFileSync, fsyncSync, mkdirSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { syncFolder } from "@knack/core/internal";

/** Copies a folder of regular files. When it returns, every byte and every name survives a power cut. */
export function copyDurably(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o755 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const target = join(to, entry.name);
    if (entry.isDirectory()) copyDurably(join(from, entry.name), target);
    else {
      copyFileSync(join(from, entry.name), target, constants.COPYFILE_EXCL);
      const descriptor = openSync(target, "r");
      fsyncSync(descriptor);
      closeSync(descriptor);
    }
  }
  syncFolder(to);
}
