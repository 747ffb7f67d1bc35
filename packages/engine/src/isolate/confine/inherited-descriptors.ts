import { readdirSync, readFileSync } from "node:fs";

/** The kernel's `O_CLOEXEC`, in the octal form of `/proc`. */
const CLOSE_ON_EXEC = 0o2000000;

/**
 * The descriptors of this process, beyond the standard ones, that every program it starts would get: those that whoever started
 * it left open. Node marks its own so that they are closed. On macOS Node has the system close all of them.
 */
export function inheritedDescriptors(): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc/self/fd")
    .map(Number)
    .filter((descriptor) => descriptor > 2 && passesOn(descriptor))
    .sort((a, b) => a - b);
}

function passesOn(descriptor: number): boolean {
  try {
    const info = readFileSync(`/proc/self/fdinfo/${descriptor}`, "latin1");
    const flags = Number.parseInt(/^flags:\s*([0-7]+)/m.exec(info)?.[1] ?? "0", 8);
    return (flags & CLOSE_ON_EXEC) === 0;
  } catch (error) {
    // The one by which the folder was listed is closed by now.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}
