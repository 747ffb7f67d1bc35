import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface LaneReport {
  readonly kills: number;
  readonly acknowledged: number;
  readonly problems: readonly string[];
  readonly seed: number;
}

/**
 * Runs a script in several processes, each with a part of the cycles, and sums up their reports: a line of JSON after each
 * part. Stops at the first problem.
 */
export async function inLanes(
  script: string,
  cycles: number,
  seed: number,
  lanes: number,
  tell: (line: string) => void,
): Promise<{ readonly kills: number; readonly acknowledged: number; readonly problems: readonly string[] }> {
  const begin = performance.now();
  const problems: string[] = [];
  let [kills, acknowledged] = [0, 0];
  const stop = new AbortController();
  const children = Array.from({ length: lanes }, async (_, lane) => {
    const own = Math.floor(cycles / lanes) + (lane < cycles % lanes ? 1 : 0);
    if (own === 0) return;
    const args = [...process.execArgv, script, "--lane", String(own), String(seed + lane * 1_000_003)];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    stop.signal.addEventListener("abort", () => child.kill("SIGTERM"));
    const closed = once(child, "close");
    for await (const line of createInterface({ input: child.stdout })) {
      const report = JSON.parse(line) as LaneReport;
      kills += report.kills;
      acknowledged += report.acknowledged;
      problems.push(...report.problems.map((problem) => `seed ${report.seed}: ${problem}`));
      const seconds = Math.round((performance.now() - begin) / 1000);
      tell(`${kills} kills, ${acknowledged} runs reported, ${problems.length} problems, ${seconds} s`);
      if (problems.length > 0) stop.abort();
    }
    const [code, signal] = await closed;
    if (code !== 0 && !stop.signal.aborted) problems.push(`lane ${lane} ended with ${code ?? signal}`);
  });
  await Promise.all(children);
  return { kills, acknowledged, problems };
}
