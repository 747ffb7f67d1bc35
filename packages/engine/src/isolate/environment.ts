import type { Execution } from "./execution.ts";

/**
 * Variables that make a loader, an interpreter or a shell run other code than the skill's. They are refused even where a
 * registry lists them: the value would come from the environment of whoever starts the run. The token of Knack's own server is
 * nobody's but its user's.
 */
const LOADER_VARIABLES =
  /^(?:NODE_(?:OPTIONS|PATH|V8_COVERAGE|REPL_EXTERNAL_MODULE|EXTRA_CA_CERTS)|(?:LD|DYLD|BASH|OPENSSL|MALLOC|GLIBC)_.*|PYTHON.*|BASH|ENV|IFS|GCONV_PATH|LOCPATH|KNACK_RUN_MARK|KNACK_TOKEN)$/i;

export function refusedVariable(env: Execution["env"]): string | null {
  return Object.keys(env).find((name) => LOADER_VARIABLES.test(name) || /[=\0]/.test(name)) ?? null;
}

/** A variable with an unguessable value, by which the descendants of a run are found where no namespace holds them. */
export const MARK = "KNACK_RUN_MARK";

/** All that the process sees. What is listed wins over what a runtime merely needs. */
export function environmentOf(
  listed: Execution["env"],
  privateFolder: string,
  mark: string | null,
): Record<string, string> {
  return {
    ...(process.platform === "win32"
      ? { SystemRoot: process.env.SystemRoot ?? "C:\\Windows", TEMP: privateFolder }
      : { PATH: "/usr/local/bin:/usr/bin:/bin", TMPDIR: privateFolder }),
    HOME: privateFolder,
    LANG: "C.UTF-8",
    ...listed,
    ...(mark === null ? {} : { [MARK]: mark }),
  };
}
