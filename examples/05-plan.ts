/**
 * A plan: text from a PDF and a DOCX, a report from both, what is new in it, whether it is complete.
 *
 *   npm run build && npx node examples/05-plan.ts
 *
 * By hand, in a copy of the folder `05-plan`. One task runs code of the project, so it asks to be trusted first:
 *
 *   knack trust
 *   knack plan run plan.yaml       # again: all of it is from an earlier run
 *   knack plan status plan.yaml --format mermaid
 *   knack runs
 */
import assert from "node:assert/strict";
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEngine, type PlanStatus, verifyLog } from "@knack/engine";

const project = mkdtempSync(join(tmpdir(), "knack-example-"));
cpSync(join(import.meta.dirname, "05-plan"), project, { recursive: true });
const engine = await openEngine({
  projectRoot: project,
  registry: [join(project, "skills", "registry.yaml")],
  store: `sqlite:${join(project, ".knack", "state.db")}`,
});
assert.deepEqual(engine.errors, []);

/** What the last run for a task made, and what it says about it. */
async function result(status: PlanStatus, task: string) {
  const run = await engine.findRun(status.tasks.find(({ id }) => id === task)?.run ?? "");
  const [artifact] = run?.artifacts ?? [];
  const text = artifact ? readFileSync(join(project, artifact.path), "utf8") : "";
  return { text, evidence: run?.evidences[0]?.data ?? {}, isolation: run?.isolation };
}

const fromBefore = ({ tasks }: PlanStatus): string[] =>
  tasks.filter(({ cached }) => cached).map(({ id }) => id);

try {
  const first = await engine.runPlan("plan.yaml");
  for (const { id, status, error } of first.tasks) console.log(`${id}: ${error?.message ?? status}`);
  assert.ok(first.tasks.every(({ status }) => status === "DONE"));
  assert.deepEqual(fromBefore(first), []);

  // The report has the text of both documents; the code that put them together ran in a process of its own.
  const report = await result(first, "report");
  assert.match(report.text, /## Figures\n\nRevenue grew by 12 percent/);
  assert.match(report.text, /## Terms\n\nThe contract runs until the end of 2027/);
  assert.notEqual((await result(first, "facts")).isolation, "builtin");

  // One line is other than in the last version, and nothing is missing.
  const changes = await result(first, "changes");
  console.log(changes.evidence.summary);
  assert.match(changes.text, /^-Revenue grew by 9 percent.*\n\+Revenue grew by 12 percent/m);
  assert.deepEqual([changes.evidence.added, changes.evidence.removed], [1, 1]);
  assert.deepEqual((await result(first, "check")).evidence, { passed: true, findings: [] });

  // Nothing changed, so nothing runs.
  const second = await engine.runPlan("plan.yaml");
  assert.deepEqual(
    fromBefore(second),
    second.tasks.map(({ id }) => id),
  );

  // Another template: what comes before it is still from before, what comes after it is not.
  appendFileSync(join(project, "report.liquid"), "\n## Outlook\n\nNo change is expected.\n");
  const third = await engine.runPlan("plan.yaml");
  assert.deepEqual(fromBefore(third), ["figures", "terms", "facts"]);
  assert.match((await result(third, "changes")).text, /^\+## Outlook$/m);

  assert.equal((await verifyLog(await engine.history())).ok, true);
} finally {
  await engine.close();
  rmSync(project, { recursive: true, force: true });
}
