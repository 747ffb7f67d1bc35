import { fewOf } from "@knack/core/internal/engine";
import type { TypedSkill } from "../typed-skill.ts";
import { orderTasks } from "./order-tasks.ts";
import type { PlanTask } from "./plan.ts";
import type { Path, PlanReader } from "./plan-reader.ts";

/** What names in a plan may mean. */
interface Known {
  readonly tasks: readonly PlanTask[];
  readonly places: ReadonlyMap<string, number>;
  readonly skills: ReadonlyMap<string, TypedSkill>;
  readonly reader: PlanReader;
}

/** Names that must mean something: tasks, skills, roles, artifacts, evidence; and no task may wait for itself. */
export function checkReferences(
  tasks: readonly PlanTask[],
  skills: ReadonlyMap<string, TypedSkill>,
  reader: PlanReader,
): void {
  // The first of two keeps the name.
  const places = new Map(tasks.map(({ id }, place) => [id, place] as const).reverse());
  const known: Known = { tasks, places, skills, reader };
  for (const [place, task] of tasks.entries()) {
    const path: Path = ["tasks", place];
    if (places.get(task.id) !== place) reader.report([...path, "id"], `Two tasks are called "${task.id}".`);
    for (const [i, name] of task.dependsOn.entries())
      if (!places.has(name)) reader.unknown([...path, "depends_on", i], "task", name, [...places.keys()]);
    if (task.skill !== null && !skills.has(task.skill))
      reader.unknown([...path, "skill"], "typed skill", task.skill, [...skills.keys()]);
    checkInputs(task, path, known);
    checkRequirements(task, path, known);
  }
  const order = orderTasks(tasks);
  if ("cycle" in order) {
    const place = places.get(order.cycle[0] ?? "") ?? 0;
    reader.report(
      ["tasks", place, "depends_on"],
      `Tasks wait for each other in a circle: ${fewOf(order.cycle, { separator: " → " })}.`,
    );
  }
}

function checkInputs(task: PlanTask, path: Path, { tasks, places, skills, reader }: Known): void {
  if (task.skill === null) {
    if (task.inputs.length > 0)
      reader.report([...path, "inputs"], "Inputs are for a skill; this task has none.");
    if (Object.keys(task.params).length > 0)
      reader.report([...path, "params"], "Parameters are for a skill; this task has none.");
  }
  const roles = skills.get(task.skill ?? "")?.inputs.map(({ role }) => role);
  for (const [i, input] of task.inputs.entries()) {
    const at: Path = [...path, "inputs", i];
    if (roles && input.role !== null && !roles.includes(input.role))
      reader.unknown([...at, "role"], `input of ${task.skill}`, input.role, roles);
    if (!("task" in input)) continue;
    const from = tasks[places.get(input.task) ?? -1];
    if (!from) {
      reader.unknown([...at, "task"], "task", input.task, [...places.keys()]);
      continue;
    }
    if (!task.dependsOn.includes(input.task))
      reader.report(at, `It takes an artifact of "${input.task}", so "depends_on" must name that task.`);
    const made = from.skill === null ? [] : skills.get(from.skill)?.outputs.artifacts.map(({ name }) => name);
    if (made && !made.includes(input.artifact))
      reader.unknown([...at, "artifact"], `artifact of "${input.task}"`, input.artifact, made);
  }
}

function checkRequirements({ requirements }: PlanTask, path: Path, { skills, reader }: Known): void {
  const names = requirements.map(({ name }) => name);
  for (const [i, { name, kind, skill, evidence }] of requirements.entries()) {
    const at: Path = [...path, "requirements", i];
    if (names.indexOf(name) !== i) reader.report([...at, "name"], `Two requirements are called "${name}".`);
    if (kind !== "SKILL_OUTPUT") continue;
    const kinds = skills.get(skill ?? "")?.outputs.evidences.map((declared) => declared.kind);
    if (skill !== null && !kinds) reader.unknown([...at, "skill"], "typed skill", skill, [...skills.keys()]);
    if (kinds && evidence !== null && !kinds.includes(evidence))
      reader.unknown([...at, "evidence"], `evidence of ${skill}`, evidence, kinds);
  }
}
