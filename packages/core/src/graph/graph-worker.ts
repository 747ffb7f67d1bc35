import { parentPort, workerData } from "node:worker_threads";
import type { EdgeWork } from "./edge-memory.ts";
import { readTexts } from "./skill-graph.ts";
import { makeSkillIndex } from "./skill-index.ts";

/** The thread of `EdgeMemory`. */
const { skills, texts } = workerData as EdgeWork;
const sources = texts.flatMap(([place, source]) => {
  const skill = skills[place];
  return skill ? { skill, source } : [];
});
parentPort?.postMessage(await readTexts(sources, makeSkillIndex(skills), true));
