import { dirname, resolve } from "node:path";
import { canonical, isInside, quote, type YamlPath } from "@knack/core/internal/engine";
import type { TypedSkill } from "../../shared/typed-skill.ts";
import type { PlanTask } from "../plan.ts";
import type { PlanReader } from "./plan-reader.ts";

/** Whether a skill gets its declared inputs: every required one, none too many. Reports what a run would refuse. */
export function checkRoles(task: PlanTask, skill: TypedSkill, path: YamlPath, reader: PlanReader): void {
  const roles = skill.inputs.map(({ role }) => role);
  const given = new Map(roles.map((role) => [role, 0]));
  const take = (role: string): void => void given.set(role, (given.get(role) ?? 0) + 1);
  for (const [i, { role }] of task.inputs.entries()) {
    if (role === null) continue;
    if (given.has(role)) take(role);
    else reader.unknownName([...path, "inputs", i, "role"], `input of ${skill.name}`, role, roles);
  }
  for (const [i, { role }] of task.inputs.entries()) {
    if (role !== null) continue;
    const free =
      skill.inputs.find((one) => given.get(one.role) === 0) ?? skill.inputs.find(({ many }) => many);
    if (free) take(free.role);
    else
      reader.fail(
        [...path, "inputs", i],
        `${skill.name} takes only these inputs: ${roles.join(", ") || "none"}; remove this one.`,
      );
  }
  const at = task.inputs.length > 0 ? [...path, "inputs"] : path;
  for (const { role, required, many } of skill.inputs) {
    const count = given.get(role) ?? 0;
    if (count === 0 && required)
      reader.fail(at, `${skill.name} needs the input "${role}"; add { role: ${role}, file: … } to "inputs".`);
    if (count > 1 && !many) reader.fail(at, `${skill.name} takes one file as "${role}", found ${count}.`);
  }
}

/** Files that the plan of a project which is not trusted may not read. */
export function checkReach(
  task: PlanTask,
  path: YamlPath,
  file: string,
  root: string,
  reader: PlanReader,
): void {
  for (const [i, input] of task.inputs.entries()) {
    if (!("file" in input) || input.file === "") continue;
    const named = resolve(dirname(file), input.file);
    if (isInside(named, root) && isInside(canonical(named), root)) continue;
    reader.deny(
      [...path, "inputs", i, "file"],
      `${quote(input.file)} is outside the project; ${PLAN_OF_STRANGER}`,
    );
  }
}

export const PLAN_OF_STRANGER =
  'the plan of an untrusted project may not read files outside it. Copy the file into the project, or run "knack trust".';
