import { writeFileSync, writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { openProject } from "./project.ts";

/**
 * crash-child.ts <project> <name> [runs]: runs skills of both kinds on new files, and writes the id of each run that was
 * reported as SUCCEEDED on a line. The first line has the process id.
 */
const [root = "", name = "", runs = "Infinity"] = process.argv.slice(2);
const SKILLS = ["text_extract", "file_fingerprint", "text_extract", "upper"];

const engine = await openProject(root);
await engine.store();
// A process that is killed leaves no compiled code to the next one, which then takes longer to start.
flushCompileCache();
writeSync(1, `${process.pid}\n`);
for (let number = 0; number < Number(runs); number++) {
  const path = join("inputs", `${name}-${number}.txt`);
  writeFileSync(join(root, path), `Text ${number} of ${name}.\n`.repeat(50));
  const { run } = await engine.run(SKILLS[number % SKILLS.length] ?? "", { inputs: [{ path }] });
  if (run.status !== "SUCCEEDED") throw new Error(`${run.skill}: ${run.error?.message}`);
  writeSync(1, `${run.id}\n`);
}
await engine.close();
