import { type Folder, makeFolder } from "@knack/core/testing";
import { type Engine, listRuns, openEngine } from "@knack/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../packages/core/src/shared/testing/cases.ts";

const CALLS = 100;
const KEYS = 5;

async function openIn(project: Folder): Promise<Engine> {
  const store = `sqlite:${project.at("state.db")}`;
  return openEngine({ projectRoot: project.path, registry: [], store });
}

/** A call: which skill on which file, and after how many turns of the event loop it starts. */
const call = fc.record({
  skill: fc.constantFrom("text_extract", "file_fingerprint"),
  file: fc.nat(KEYS - 1),
  turns: fc.nat(20),
  engine: fc.nat(1),
});

describe("a hundred calls at once in one process", () => {
  it("execute each key once, and all who ask for it get the same result", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { minLength: CALLS, maxLength: CALLS }),
        fc.scheduler(),
        async (calls, scheduler) => {
          using project = makeFolder(
            Object.fromEntries(Array.from({ length: KEYS }, (_, n) => [`${n}.txt`, `text ${n}`])),
          );
          // Two connections, as two programs in one process would have.
          const engines = [await openIn(project), await openIn(project)];
          const ask = scheduler.scheduleFunction(async (place: number) => {
            const { skill, file, turns, engine } = calls[place]!;
            for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
            return engines[engine]!.run(skill, { inputs: [{ path: `${file}.txt` }] });
          });
          const asking = calls.map((_, place) => ask(place));
          await scheduler.waitAll();
          const answers = await Promise.all(asking);

          const { db } = await engines[0]!.store();
          const runs = await listRuns(db, { limit: 1000 });
          for (const engine of engines) await engine.close();
          const keys = new Set(calls.map(({ skill, file }) => `${skill} ${file}`));
          expect(runs.map(({ key }) => key)).toHaveLength(keys.size);
          expect(answers.filter(({ cached }) => !cached)).toHaveLength(keys.size);
          for (const { run } of answers) expect(run).toEqual(runs.find(({ id }) => id === run.id));
          expect(answers.every(({ run }) => run.status === "SUCCEEDED")).toBe(true);
        },
      ),
      { numRuns: cases(20, 1000) },
    );
  });

  it("fail once, and all who waited get that failure; who asks later gets another try", async () => {
    using project = makeFolder({ "broken.pdf": "%PDF-1.4 and no more" });
    const engine = await openIn(project);
    const ask = () => engine.run("text_extract", { inputs: [{ path: "broken.pdf" }] });
    const answers = await Promise.all(Array.from({ length: CALLS }, ask));
    expect(new Set(answers.map(({ run }) => run.id)).size).toBe(1);
    expect(answers[0]?.run.error?.code).toBe("PDF_BROKEN");
    expect((await ask()).run.id).not.toBe(answers[0]?.run.id);
    expect(await listRuns((await engine.store()).db, { limit: 1000 })).toHaveLength(2);
    await engine.close();
  });
});
