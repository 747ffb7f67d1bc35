import { workerData } from "node:worker_threads";
import { SkillReader } from "../text/skill-words.ts";
import { type ReadChunk, type ReadWork, readSkillToIndex, takeChunks, wakeCaller } from "./read-skills.ts";
import { bodyOf, readBeside } from "./skill-files.ts";

/** The thread of `readSkills`. Skills without an answer are read by the caller. */
const { skills: all, names, shared, port } = workerData as ReadWork;
/** With more words it begins anew: they are all in the memory of the other thread too. */
const MAX_WORDS = 200_000;

const marks = new Set(names);
let reader = new SkillReader(marks);
let sent = 0;
let unsent = reader.words.keys();
try {
  for (const [chunk, own] of takeChunks(shared, all)) {
    if (sent > MAX_WORDS) {
      reader = new SkillReader(marks);
      sent = 0;
      unsent = reader.words.keys();
    }
    const isFirst = sent === 0;
    const skills = own.map(({ file = "", ...skill }) =>
      readSkillToIndex({ ...skill, body: () => bodyOf(file), beside: () => readBeside(skill.dir) }, reader),
    );
    const words = Array.from({ length: reader.words.size - sent }, () => unsent.next().value ?? "");
    sent = reader.words.size;
    port.postMessage({ chunk, isFirst, words, skills } satisfies ReadChunk);
    wakeCaller(shared);
  }
} finally {
  wakeCaller(shared);
}
