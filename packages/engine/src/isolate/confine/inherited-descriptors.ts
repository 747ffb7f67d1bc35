import { readdirSync, readFileSync } from "node:fs";

/** The kernel's `O_CLOEXEC`, in octal as in `/proc`. */
const CLOSE_ON_EXEC = 0o2000000;

/**
 * The non-standard descriptors that every child process would inherit, because the program that started this one left them
 * open. Node marks its own close-on-exec. On macOS Node closes all of them for a child.
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
    // The descriptor that listed the folder is closed by now.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}
