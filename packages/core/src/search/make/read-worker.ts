import { basename } from "node:path";
import { workerData } from "node:worker_threads";
import { IndexBuilder } from "./index-builder.ts";
import { BEGUN, ENDED, type ReadWork } from "./read-in-thread.ts";
import { bodyOf } from "./skill-body.ts";

/** The thread of `readInThread`. */
const { skills, state, port } = workerData as ReadWork;
Atomics.store(state, 0, BEGUN);
Atomics.notify(state, 0);
try {
  const builder = new IndexBuilder();
  for (const { name, dir, description, file } of skills)
    builder.add({ name, folder: basename(dir), description, body: bodyOf(file) });
  port.postMessage(builder.built());
} finally {
  // Without a message the caller reads the skills itself.
  Atomics.store(state, 0, ENDED);
  Atomics.notify(state, 0);
  port.close();
}
