import { parentPort, workerData } from "node:worker_threads";
import { makeSkillIndex } from "./extract/skill-index.ts";
import { type EdgeWork, takeShares } from "./parallel-edges.ts";
import { readEdges } from "./read-skill-edges.ts";

/** The worker thread of `edgesOfAll`. */
const work = workerData as EdgeWork;
const index = makeSkillIndex([...work.skills, ...work.typed]);
await takeShares(
  work,
  (at) => readEdges(work.sources[at]!, work.skills[at]!, index, work.explain),
  (share) => parentPort?.postMessage(share),
);
