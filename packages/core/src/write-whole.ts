import { appendFileSync, chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { systemCode } from "./errors.ts";

/**
 * Writes a file so that nobody ever sees a part of it: under another name first, then renamed. Only the user can read
 * it. Answers the system's code where that was not possible.
 */
export function writeWhole(file: string, ...parts: readonly (string | Uint8Array)[]): string | undefined {
  return writeWholeAs(0o600, file, ...parts);
}

/** The same for a file that others may read too. */
export function writeWholeAs(
  mode: number,
  file: string,
  ...parts: readonly (string | Uint8Array)[]
): string | undefined {
  const temporary = `${file}.${process.pid}.${performance.now()}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, "", { mode: 0o600 });
    for (const part of parts) appendFileSync(temporary, part);
    if (mode !== 0o600) chmodSync(temporary, mode);
    renameSync(temporary, file);
    return undefined;
  } catch (error) {
    removeQuietly(temporary);
    return systemCode(error);
  }
}

/** What could not be written may not be there to remove either. */
export function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    systemCode(error);
  }
}
