import { parentPort, workerData } from "node:worker_threads";
import { encodeSearchIndex, type IndexWork, type MadeIndex } from "./stored-index.ts";

/** The thread of `makeIndexInBackground`. */
const { skills, file } = workerData as IndexWork;
const { encoded } = encodeSearchIndex(skills, file, { checksBeside: true });
parentPort?.postMessage(encoded ?? ("saved" satisfies MadeIndex));
