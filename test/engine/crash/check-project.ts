import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Engine } from "@knack/engine";
import { getRun } from "../../../packages/engine/src/store/runs/runs.ts";
import { openProject } from "./project.ts";

export interface Checked {
  readonly problems: string[];
  readonly head: string | undefined;
}

/** Checks what must hold after a kill: nothing reported is lost, nothing is stuck, nothing is left over. */
export async function checkProject(
  root: string,
  acknowledged: readonly string[],
  pid: number,
  earlierHead?: string,
): Promise<Checked> {
  const problems: string[] = [];
  const engine = await openProject(root);
  try {
    const { db } = await engine.store();
    for (const id of acknowledged) {
      const run = await getRun(db, id);
      if (run?.status !== "SUCCEEDED")
        problems.push(`run ${id} was reported and is ${run?.status ?? "lost"}`);
    }
    // Reported or not: if the row says SUCCEEDED, the files must exist.
    const rows = await db.all("SELECT skill_run_id AS id FROM skill_runs WHERE status = 'SUCCEEDED'");
    for (const { id } of rows) problems.push(...(await brokenArtifacts(engine, root, String(id))));
    problems.push(...(await stuckRuns(engine)));
    problems.push(...leftoversOf(root, pid).map((path) => `${path} was left`));
    problems.push(...(await processesOf(pid)).map((line) => `a process was left: ${line}`));
    // Damage of an earlier kill is still there: the log only grows.
    const end = await engine.verify(earlierHead);
    if (!end.ok) problems.push(end.message);
    return { problems, head: end.ok ? end.head : undefined };
  } finally {
    await engine.close();
  }
}

async function brokenArtifacts(engine: Engine, root: string, id: string): Promise<string[]> {
  const run = await getRun((await engine.store()).db, id);
  return (run?.artifacts ?? []).flatMap(({ path, sha256 }) => {
    try {
      return hash("sha256", readFileSync(join(root, path))) === sha256
        ? []
        : [`${path} of run ${id} is changed`];
    } catch (error) {
      return [`${path} of run ${id}: ${error}`];
    }
  });
}

/** Runs again what the dead process was running, and one other thing, which cleans up. */
async function stuckRuns(engine: Engine): Promise<string[]> {
  const problems: string[] = [];
  const { db } = await engine.store();
  const asked = "SELECT skill_run_id AS id FROM skill_runs WHERE status = 'RUNNING'";
  const running = await db.all(asked);
  for (const { id } of running) {
    const dead = await getRun(db, String(id));
    const again = await engine.run(dead?.skill ?? "", {
      inputs: (dead?.inputs ?? []).map(({ path }) => ({ path })),
    });
    if (again.run.status !== "SUCCEEDED") problems.push(`run ${id} is stuck: ${again.run.error?.message}`);
    const settled = await getRun(db, String(id));
    if (settled?.error?.code !== "SKILL_INTERRUPTED") problems.push(`run ${id} was not put away`);
  }
  await engine.run("text_extract", {
    inputs: [{ path: "package.json" }],
    params: { max_chars: 1 + Date.now() },
  });
  for (const { id } of await db.all(asked)) problems.push(`run ${id} has a lease that nobody holds`);
  return problems;
}

/** Processes whose working directory is a run folder of the dead process. The system needs a moment to end them. */
async function processesOf(pid: number): Promise<string[]> {
  if (process.platform !== "linux" || pid === 0) return [];
  const mark = new RegExp(`knack-run-[0-9a-f]{8}-${pid}-`);
  for (let left = 100; ; left--) {
    const lines = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => commandOf(name))
      .filter((line) => mark.test(line));
    if (lines.length === 0 || left === 0) return lines;
    await wait(20);
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    // It has exited meanwhile.
    return "";
  }
}

function leftoversOf(root: string, pid: number): string[] {
  const made = readdirSync(join(root, "workspace", "artifacts"), { recursive: true, encoding: "utf8" });
  const temporary = readdirSync(tmpdir()).filter(
    (name) => /^knack-run-[0-9a-f]{8}-(\d+)-/.exec(name)?.[1] === String(pid),
  );
  return [...made.filter((name) => name.endsWith(".tmp")), ...temporary];
}
