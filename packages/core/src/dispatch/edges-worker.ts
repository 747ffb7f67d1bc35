import { parentPort, workerData } from "node:worker_threads";
import { type EdgeWork, takeShares } from "./divided-edges.ts";
import { readEdges } from "./read-skill-edges.ts";
import { makeSkillIndex } from "./skill-index.ts";

/** A helper thread of `edgesOfAll`. */
const work = workerData as EdgeWork;
const index = makeSkillIndex([...work.skills, ...work.typed]);
await takeShares(
  work,
  (at) => readEdges(work.sources[at]!, work.skills[at]!, index),
  (share) => parentPort?.postMessage(share),
);
