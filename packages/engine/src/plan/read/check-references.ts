import { fewOf, type YamlPath } from "@knack/core/internal/engine";
import type { Registered } from "../../registry/registered.ts";
import { orderTasks } from "../order-tasks.ts";
import type { PlanTask } from "../plan.ts";
import { checkReach, checkRoles } from "./check-inputs.ts";
import type { PlanReader } from "./plan-reader.ts";

/** The typed skills that a plan may name, and why others were skipped. */
export interface KnownSkills {
  readonly registered: ReadonlyMap<string, Registered>;
  /** Why the registry entry of this name was skipped; `undefined` if there is no such entry. */
  whyLeftOut(name: string): string | undefined;
  /** The project that files must be in, where it is not trusted. */
  readonly within: string | null;
}

interface References {
  readonly skills: KnownSkills;
  readonly reader: PlanReader;
  /** Where each task stands. */
  readonly paths: readonly YamlPath[];
  /** The plan. */
  readonly file: string;
}

/** What names in a plan may mean. */
interface Known extends References {
  readonly tasks: readonly PlanTask[];
  readonly places: ReadonlyMap<string, number>;
  /** Whether a task could not be read, so that a name that nobody has may be its. */
  readonly isPartial: boolean;
}

/**
 * Names that must mean something: tasks, skills, roles, artifacts, evidence; parameters that the skill takes; and no task
 * may wait for itself. What could not be read has an empty name and was reported; nothing more is said of it.
 */
export function checkReferences(tasks: readonly PlanTask[], references: References): void {
  const { reader, paths, skills } = references;
  // The first of two keeps the name.
  const places = new Map(tasks.map(({ id }, place) => [id, place] as const).reverse());
  const known: Known = { ...references, tasks, places, isPartial: places.has("") };
  for (const [place, task] of tasks.entries()) {
    const path = paths[place] ?? ["tasks", place];
    if (task.id !== "" && places.get(task.id) !== place)
      reader.fail([...path, "id"], `Two tasks are called "${task.id}".`);
    for (const [i, name] of task.dependsOn.entries())
      if (name !== "" && !places.has(name) && !known.isPartial)
        reader.unknownName([...path, "depends_on", i], "task", name, [...places.keys()]);
    if (task.skill !== null) checkSkillName(task.skill, [...path, "skill"], known);
    checkSkill(task, path, known);
    checkArtifacts(task, path, known);
    checkRequirements(task, path, known);
    if (skills.within !== null) checkReach(task, path, references.file, skills.within, reader);
  }
  const order = orderTasks(tasks);
  if ("cycle" in order) {
    const place = places.get(order.cycle[0] ?? "") ?? 0;
    reader.fail(
      [...(paths[place] ?? ["tasks", place]), "depends_on"],
      `Tasks depend on each other in a cycle: ${fewOf(order.cycle, { separator: " → " })}.`,
    );
  }
}

/** A skipped registry entry is reported as such: the name is right, the entry is not. */
function checkSkillName(name: string, path: YamlPath, { skills, reader }: Known): void {
  if (skills.registered.has(name)) return;
  const why = skills.whyLeftOut(name);
  if (why === undefined) reader.unknownName(path, "typed skill", name, [...skills.registered.keys()]);
  else reader.fail(path, why);
}

/** Whether the skill takes these inputs and parameters. */
function checkSkill(task: PlanTask, path: YamlPath, { skills, reader }: Known): void {
  if (task.skill === null) {
    if (task.inputs.length > 0)
      reader.fail([...path, "inputs"], 'Only a task with a "skill" can have inputs.');
    if (Object.keys(task.params).length > 0)
      reader.fail([...path, "params"], 'Only a task with a "skill" can have parameters.');
    return;
  }
  const registered = skills.registered.get(task.skill);
  if (!registered) return;
  checkRoles(task, registered.skill, path, reader);
  const hasParams = Object.keys(task.params).length > 0;
  for (const { at, message } of registered.paramFaults(task.params))
    reader.fail(hasParams ? [...path, "params", ...at] : path, `${task.skill}: ${message}`);
}

function checkArtifacts(
  task: PlanTask,
  path: YamlPath,
  { tasks, places, skills, reader, isPartial }: Known,
): void {
  for (const [i, input] of task.inputs.entries()) {
    const at: YamlPath = [...path, "inputs", i];
    if (!("task" in input)) continue;
    const from = tasks[places.get(input.task) ?? -1];
    if (!from) {
      if (!isPartial) reader.unknownName([...at, "task"], "task", input.task, [...places.keys()]);
      continue;
    }
    if (!task.dependsOn.includes(input.task))
      reader.fail(at, `This input is an artifact of "${input.task}", so "depends_on" must name that task.`);
    const maker = from.skill === null ? null : skills.registered.get(from.skill);
    const made = maker === null ? [] : maker?.skill.outputs.artifacts.map(({ name }) => name);
    if (made && !made.includes(input.artifact))
      reader.unknownName([...at, "artifact"], `artifact of "${input.task}"`, input.artifact, made);
  }
}

function checkRequirements({ requirements }: PlanTask, path: YamlPath, known: Known): void {
  const { skills, reader } = known;
  const names = requirements.map(({ name }) => name);
  for (const [i, { name, kind, skill, evidence }] of requirements.entries()) {
    const at: YamlPath = [...path, "requirements", i];
    if (name !== "" && names.indexOf(name) !== i)
      reader.fail([...at, "name"], `Two requirements are called "${name}".`);
    if (kind !== "SKILL_OUTPUT") continue;
    const kinds = skills.registered
      .get(skill ?? "")
      ?.skill.outputs.evidences.map((declared) => declared.kind);
    if (skill !== null) checkSkillName(skill, [...at, "skill"], known);
    if (kinds && evidence !== null && !kinds.includes(evidence))
      reader.unknownName([...at, "evidence"], `evidence of ${skill}`, evidence, kinds);
  }
}
