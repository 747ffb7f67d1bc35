import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

export interface EndedProcess {
  readonly output: string;
  readonly code: number | null;
}

/** Starts a program of this folder many times, lets all begin at the same moment, and waits until they exit. */
export async function processesAtOnce(
  program: string,
  count: number,
  args: readonly string[],
): Promise<EndedProcess[]> {
  const children = Array.from({ length: count }, () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, "children", program), ...args], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const state = { child, output: "", ready: once(child.stdout, "data"), closed: once(child, "close") };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      state.output += text;
    });
    return state;
  });
  await Promise.all(children.map(({ ready, closed }) => Promise.race([ready, closed])));
  for (const { child } of children) child.stdin.end("go\n");
  await Promise.all(children.map(({ closed }) => closed));
  return children.map(({ child, output }) => ({ output, code: child.exitCode }));
}

export function mkfifoSync(path: string): void {
  execFileSync("mkfifo", [path]);
}
