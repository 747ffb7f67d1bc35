import { basename, extname } from "node:path";
import { nearest, parseYaml } from "@knack/core/internal";
import type { TypedSkill } from "../typed-skill.ts";
import { orderTasks } from "./order-tasks.ts";
import { type Plan, type PlanTask, REQUIREMENT_KINDS, type Requirement, type TaskInput } from "./plan.ts";

export interface PlanProblem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** Ids become parts of paths and of commands. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Text of a `plan.yaml` → the plan, or everything that is wrong with it, each with its line. */
export function readPlan(
  text: string,
  file: string,
  skills: ReadonlyMap<string, TypedSkill>,
): Plan | readonly PlanProblem[] {
  const document = parseYaml(text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n"), "core", 1);
  if ("fault" in document) return [{ file, line: document.line ?? 1, message: document.message }];
  const problems: PlanProblem[] = [];
  const reader = new Reader((path, message) => problems.push({ file, line: document.lineOf(path), message }));
  const { data } = document;
  reader.keys(data, [], ["version", "plan", "title", "tasks"]);
  if (data.version !== 1)
    reader.report(["version"], `"version" must be 1, found ${JSON.stringify(data.version ?? null)}.`);
  const id = reader.id(data.plan ?? basename(file, extname(file)), ["plan"]);
  const title = reader.text(data.title, ["title"]) ?? id;
  const tasks = reader
    .list(data.tasks, ["tasks"], true)
    .map((entry, place) => readTask(entry, place, reader));
  if (problems.length > 0) return problems;
  checkReferences(tasks, skills, reader);
  return problems.length > 0 ? problems : { id, title, file, tasks };
}

const TASK_KEYS = ["id", "title", "skill", "depends_on", "inputs", "params", "requirements"];

function readTask(entry: unknown, place: number, reader: Reader): PlanTask {
  const path = ["tasks", place];
  const data = reader.map(entry, path, TASK_KEYS);
  const id = reader.id(data.id, [...path, "id"]);
  const params =
    data.params === undefined || data.params === null ? {} : reader.map(data.params, [...path, "params"]);
  return {
    id,
    title: reader.text(data.title, [...path, "title"]) ?? id,
    skill: reader.text(data.skill, [...path, "skill"]) ?? null,
    dependsOn: reader
      .list(data.depends_on, [...path, "depends_on"])
      .map((name, i) => reader.id(name, [...path, "depends_on", i])),
    inputs: reader
      .list(data.inputs, [...path, "inputs"])
      .map((input, i) => readInput(input, [...path, "inputs", i], reader)),
    params,
    requirements: reader
      .list(data.requirements, [...path, "requirements"])
      .map((requirement, i) => readRequirement(requirement, [...path, "requirements", i], reader)),
  };
}

function readInput(entry: unknown, path: Path, reader: Reader): TaskInput {
  const data = reader.map(entry, path, ["role", "file", "task", "artifact"]);
  const role = reader.text(data.role, [...path, "role"]) ?? null;
  const file = reader.text(data.file, [...path, "file"]);
  const task = reader.text(data.task, [...path, "task"]);
  const artifact = reader.text(data.artifact, [...path, "artifact"]);
  if (file !== undefined && task === undefined && artifact === undefined) return { role, file };
  if (file === undefined && task !== undefined && artifact !== undefined) return { role, task, artifact };
  reader.report(
    path,
    'An input is { file } or { task, artifact }, with a "role" where the skill has several.',
  );
  return { role, file: "" };
}

const REQUIREMENT_KEYS = [
  "name",
  "kind",
  "required",
  "min_count",
  "allowed_types",
  "validation",
  "skill",
  "evidence",
];

function readRequirement(entry: unknown, path: Path, reader: Reader): Requirement {
  const data = reader.map(entry, path, REQUIREMENT_KEYS);
  const kind = REQUIREMENT_KINDS.find((known) => known === data.kind);
  if (!kind)
    reader.report(
      [...path, "kind"],
      `"kind" must be ${REQUIREMENT_KINDS.join(", ")}, found ${JSON.stringify(data.kind ?? null)}.`,
    );
  const { required = true, min_count: minCount = 1 } = data;
  if (typeof required !== "boolean")
    reader.report([...path, "required"], '"required" must be true or false.');
  if (!Number.isInteger(minCount) || Number(minCount) < 1)
    reader.report([...path, "min_count"], '"min_count" must be a whole number from 1 on.');
  const validation =
    data.validation === undefined
      ? {}
      : reader.map(data.validation, [...path, "validation"], ["filename_keywords"]);
  const texts = (value: unknown, at: Path): string[] =>
    reader.list(value, at).map((text, i) => reader.text(text, [...at, i]) ?? "");
  return {
    name: reader.id(data.name, [...path, "name"]),
    kind: kind ?? "FILE",
    required: required === true,
    minCount: Number(minCount),
    allowedTypes: texts(data.allowed_types, [...path, "allowed_types"]).map((type) =>
      type.toLowerCase().replace(/^\./, ""),
    ),
    filenameKeywords: texts(validation.filename_keywords, [...path, "validation", "filename_keywords"]),
    skill: reader.text(data.skill, [...path, "skill"]) ?? null,
    evidence: reader.text(data.evidence, [...path, "evidence"]) ?? null,
  };
}

/** Names that must mean something: tasks, skills, artifacts, roles; and no task may wait for itself. */
function checkReferences(
  tasks: readonly PlanTask[],
  skills: ReadonlyMap<string, TypedSkill>,
  reader: Reader,
): void {
  const places = new Map(tasks.map(({ id }, place) => [id, place]));
  for (const [place, task] of tasks.entries()) {
    const path: Path = ["tasks", place];
    if (places.get(task.id) !== place) reader.report([...path, "id"], `Two tasks are called "${task.id}".`);
    for (const [i, name] of task.dependsOn.entries())
      if (!places.has(name)) reader.unknown([...path, "depends_on", i], "task", name, [...places.keys()]);
    if (task.skill !== null && !skills.has(task.skill))
      reader.unknown([...path, "skill"], "typed skill", task.skill, [...skills.keys()]);
    if (task.skill === null && task.inputs.length > 0)
      reader.report([...path, "inputs"], "Inputs are for a skill; this task has none.");
    for (const [i, input] of task.inputs.entries()) {
      if (!("task" in input)) continue;
      const from = tasks[places.get(input.task) ?? -1];
      if (!from) reader.unknown([...path, "inputs", i, "task"], "task", input.task, [...places.keys()]);
      else if (!task.dependsOn.includes(input.task))
        reader.report(
          [...path, "inputs", i],
          `It takes an artifact of "${input.task}", so "depends_on" must name that task.`,
        );
      const made = skills.get(from?.skill ?? "")?.outputs.artifacts.map(({ name }) => name);
      if (made && !made.includes(input.artifact))
        reader.unknown([...path, "inputs", i, "artifact"], "artifact", input.artifact, made);
    }
    const names = task.requirements.map(({ name }) => name);
    for (const [i, name] of names.entries())
      if (names.indexOf(name) !== i)
        reader.report([...path, "requirements", i, "name"], `Two requirements are called "${name}".`);
  }
  const order = orderTasks(tasks);
  if ("cycle" in order) {
    const place = places.get(order.cycle[0] ?? "") ?? 0;
    reader.report(
      ["tasks", place, "depends_on"],
      `Tasks wait for each other in a circle: ${order.cycle.join(" → ")}.`,
    );
  }
}

type Path = readonly (string | number)[];

/** Takes values out of YAML data and reports what is not as it should be, with its place. */
class Reader {
  readonly report: (path: Path, message: string) => void;

  constructor(report: (path: (string | number)[], message: string) => void) {
    this.report = (path, message) => report([...path], message);
  }

  map(value: unknown, path: Path, known?: readonly string[]): Record<string, unknown> {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      this.report(path, `A mapping is needed here, found ${describe(value)}.`);
      return {};
    }
    if (known) this.keys(value as Record<string, unknown>, path, known);
    return value as Record<string, unknown>;
  }

  keys(data: object, path: Path, known: readonly string[]): void {
    for (const key of Object.keys(data))
      if (!known.includes(key)) this.unknown([...path, key], "key", key, known);
  }

  unknown(path: Path, what: string, name: string, known: readonly string[]): void {
    const guess = nearest(name, known);
    this.report(path, `There is no ${what} "${name}"${guess ? `; did you mean "${guess}"?` : "."}`);
  }

  list(value: unknown, path: Path, needed = false): readonly unknown[] {
    if (Array.isArray(value)) return value;
    if (needed || (value !== undefined && value !== null))
      this.report(path, `"${String(path.at(-1))}" must be a list, found ${describe(value)}.`);
    return [];
  }

  text(value: unknown, path: Path): string | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === "string" && value.trim() !== "") return value;
    if (typeof value === "number") return String(value);
    this.report(path, `"${String(path.at(-1))}" must be text, found ${describe(value)}.`);
    return undefined;
  }

  id(value: unknown, path: Path): string {
    const text = typeof value === "number" ? String(value) : value;
    if (typeof text === "string" && ID.test(text) && !text.includes("..")) return text;
    this.report(
      path,
      `"${String(path.at(-1))}" must be letters, digits, ".", "_" or "-", found ${describe(value)}.`,
    );
    return "";
  }
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "a mapping";
  return value === undefined ? "nothing" : JSON.stringify(value);
}
