import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findProgram } from "@knack/core/internal/engine";

/** This machine's Python: the interpreter itself, not a shim, and its folders. */
export type Python =
  | {
      readonly found: true;
      readonly program: string;
      /** `3.12`. */
      readonly version: string;
      readonly folders: readonly string[];
    }
  | { readonly found: false; readonly reason: string };

const QUESTION =
  "import json, sys; print(json.dumps([sys.executable, sys.prefix, sys.base_prefix, sys.version_info[:2]]))";

let known: Promise<Python> | undefined;

/** Probed once per process. */
export function pythonHere(): Promise<Python> {
  known ??= askPython();
  return known;
}

async function askPython(): Promise<Python> {
  const program = findProgram("python3", process.env);
  if (program === undefined) return { found: false, reason: "python3 is not installed, or not in PATH" };
  try {
    const { PATH = "", HOME = "" } = process.env;
    // Run outside of any project: a file there must not decide which Python runs.
    const { stdout } = await promisify(execFile)(program, ["-I", "-c", QUESTION], {
      cwd: "/",
      env: { PATH, HOME },
      timeout: 10_000,
    });
    const [executable, prefix, basePrefix, version] = JSON.parse(stdout) as [
      string,
      string,
      string,
      number[],
    ];
    if (version[0] !== 3 || (version[1] ?? 0) < 8)
      return { found: false, reason: `python3 is ${version.join(".")}; 3.8 or newer is required` };
    const folders = [...new Set([prefix, basePrefix])].filter(
      (folder) => folder !== "/" && !/^\/usr($|\/)/.test(folder),
    );
    return { found: true, program: executable, version: version.join("."), folders };
  } catch (error) {
    return {
      found: false,
      reason: `python3 does not run: ${(error as Error).message.trim().split("\n").at(-1)}`,
    };
  }
}
