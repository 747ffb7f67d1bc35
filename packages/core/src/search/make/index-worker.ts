import { parentPort, workerData } from "node:worker_threads";
import type { IndexWork, MadeIndex } from "./background-index.ts";
import { encodeSearchIndex } from "./search-index.ts";

/** The thread of `makeIndexInBackground`. */
const { skills, file } = workerData as IndexWork;
const { encoded } = encodeSearchIndex(skills, file, { checksBeside: true });
parentPort?.postMessage(encoded ?? ("saved" satisfies MadeIndex));
