import { parentPort, workerData } from "node:worker_threads";
import type { EdgeWork } from "./edge-memory.ts";
import { readTexts } from "./skill-graph.ts";
import { makeSkillIndex } from "./skill-index.ts";

/** The thread of `EdgeMemory`. */
const { texts, skills } = workerData as EdgeWork;
parentPort?.postMessage(await readTexts(texts, makeSkillIndex(skills), true));
