import { parentPort, workerData } from "node:worker_threads";
import { encodeTree } from "../index/tree-bytes.ts";
import { type DividedResult, type DividedWork, shareOf, takeShare, walkShare } from "./parallel-walk.ts";
import type { Visit } from "./walk.ts";

/** A helper thread of `walkDivided`: takes shares until none is left. */
const work = workerData as DividedWork;
const starts: Visit[] = work.paths.split("\0").map((path, i) => ({
  path,
  parent: -1,
  depth: work.depths[i] ?? 0,
  insideSkill: work.insideSkill[i] === 1,
  known: -1,
}));
const shares = Math.ceil(starts.length / work.share);
const never = Promise.resolve();

for (let number = takeShare(work.nextShare); number < shares; number = takeShare(work.nextShare)) {
  const bytes = encodeTree(await walkShare(work.options, shareOf(work, starts, number), () => never));
  const result: DividedResult = [number, bytes];
  parentPort?.postMessage(result, [bytes.buffer]);
}
