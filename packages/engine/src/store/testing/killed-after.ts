import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";

/** Starts a program, kills it some time after so many lines of its output, and returns all its complete lines. */
export async function killedAfter(
  delayMs: number,
  args: readonly string[],
  lines = 1,
): Promise<{ readonly lines: string[]; readonly pid: number }> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  let output = "";
  const printed = new Promise<void>((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.split("\n").length > lines) resolve();
    });
  });
  await Promise.race([printed, closed]);
  await wait(delayMs);
  child.kill("SIGKILL");
  const [code, signal] = await closed;
  if (signal !== "SIGKILL") throw new Error(`The process ended by itself (${code ?? signal}).`);
  // A line without its end was cut by the kill.
  return { lines: output.split("\n").slice(0, -1), pid: child.pid ?? 0 };
}
