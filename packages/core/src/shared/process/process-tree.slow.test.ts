import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { endGroup, endTree, listProcesses, markedProcesses, type ProcessTree } from "./process-tree.ts";

const VARIABLE = "KNACK_TEST_MARK";

/** Starts a program of the shell as the leader of a group, with a mark that is also inside of two others. */
function start(script: string, marks = (own: string) => own): { child: ChildProcess; tree: ProcessTree } {
  const value = randomUUID();
  const child = spawn("/bin/sh", ["-c", script], {
    detached: true,
    stdio: "ignore",
    env: { PATH: process.env.PATH, [VARIABLE]: marks(value) },
  });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return { child, tree: { pid: child.pid ?? 0, hasEnded, mark: { variable: VARIABLE, value } } };
}

async function untilMarked({ mark }: ProcessTree, count: number): Promise<void> {
  const marked = async (): Promise<number> => (mark ? (await markedProcesses(mark)).length : 0);
  await expect.poll(marked).toBeGreaterThanOrEqual(count);
}

async function leftOf({ mark }: ProcessTree): Promise<number[]> {
  // Many looks: one that starts others all the time can be missed by each.
  const found = new Set<number>();
  for (let looks = 0; mark && looks < 10; looks++) {
    for (const pid of await markedProcesses(mark)) found.add(pid);
    await wait(5);
  }
  return [...found];
}

describe.skipIf(process.platform !== "linux")("ending a tree of processes", () => {
  it("ends the group, and what left it", async () => {
    const { tree } = start("sleep 1000 & setsid sleep 1000 & wait");
    await untilMarked(tree, 3);
    await endTree(tree);
    expect(tree.hasEnded()).toBe(true);
    expect(await leftOf(tree)).toEqual([]);
  });

  it("ends what is left when the first process has ended by itself", async () => {
    const { child, tree } = start("setsid sleep 1000 & sleep 1000 & exit 0");
    await once(child, "exit");
    await endTree(tree);
    expect(await leftOf(tree)).toEqual([]);
  });

  it("ends processes that pass themselves on to a new one all the time", async () => {
    // Each leaves its group, starts the next and ends; one look at all processes can fall between two of them.
    // The count keeps one that gets away from staying for ever.
    const chain = '[ "$2" -gt 0 ] && setsid /bin/sh -c "$1" hop "$1" $(($2 - 1)) & exit 0';
    for (let round = 0; round < 6; round++) {
      const { child, tree } = start(`set -- '${chain}' 2000; ${chain}`);
      await once(child, "exit");
      await wait(20);
      await endTree(tree);
      expect(await leftOf(tree)).toEqual([]);
    }
  });

  it("finds its mark among those of the trees around, and takes no longer one for it", async () => {
    const inner = start("exec sleep 1000", (own) => `outer:${own}`);
    const other = start("exec sleep 1000", (own) => `x${own}:${own}y`);
    await untilMarked(inner.tree, 1);
    try {
      expect(await markedProcesses(inner.tree.mark as never)).toContain(inner.child.pid);
      expect(await leftOf(other.tree)).toEqual([]);
      await endTree(inner.tree);
      expect(await leftOf(inner.tree)).toEqual([]);
      expect(other.tree.hasEnded()).toBe(false);
    } finally {
      other.child.kill("SIGKILL");
    }
  });

  it("leaves alone a process that was given the number of an ended one", async () => {
    const { child, tree } = start("exec sleep 1000");
    const gone = { ...tree, mark: null, hasEnded: () => true };
    await endTree(gone);
    expect(tree.hasEnded()).toBe(false);
    // The namespace is ours, not one of its own: then the number means somebody else.
    await endTree({ ...gone, namespace: () => ({ init: child.pid ?? 0, id: 1 }) });
    expect(tree.hasEnded()).toBe(false);
    await endTree(tree);
  });

  it("does nothing where no process was started: a signal to 0 or -1 would reach us, or everybody", async () => {
    for (const pid of [0, 1, -1, Number.NaN]) {
      endGroup(pid);
      await endTree({ pid, hasEnded: () => true, mark: { variable: VARIABLE, value: randomUUID() } });
    }
    expect(process.exitCode).toBeUndefined();
  });
});

describe("the list of processes", () => {
  it("is empty where it cannot be read", () => {
    expect(listProcesses("/nonexistent")).toEqual([]);
  });
});
