import { createHash } from "node:crypto";
import { basename, extname } from "node:path";
import { parseYaml } from "@knack/core/internal/engine";
import { type Plan, type PlanTask, REQUIREMENT_KINDS, type Requirement, type TaskInput } from "../plan.ts";
import { checkReferences } from "./check-references.ts";
import type { KnownSkills } from "./known-skills.ts";
import { type Data, type Path, PlanReader } from "./plan-reader.ts";

export interface PlanProblem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
  /** It is clear what is meant, and that is not allowed. */
  readonly isDenied: boolean;
}

/** Text of a `plan.yaml` → the plan, or everything that is wrong with it, each with its line. */
export function readPlan(text: string, file: string, skills: KnownSkills): Plan | readonly PlanProblem[] {
  const document = parseYaml(text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n"), "core", 1);
  if ("fault" in document)
    return [{ file, line: document.line ?? 1, message: document.message, isDenied: false }];
  const problems: PlanProblem[] = [];
  const reader = new PlanReader((path, message, isDenied) =>
    problems.push({ file, line: document.lineOf(path), message, isDenied }),
  );
  const { data } = document;
  reader.keys(data, [], ["version", "plan", "title", "tasks"]);
  if (data.version !== 1)
    reader.report(["version"], `"version" must be 1, found ${JSON.stringify(data.version ?? null)}.`);
  const id = reader.id(data.plan ?? basename(file, extname(file)), ["plan"]);
  const title = reader.text(data.title, ["title"]) ?? id;
  const entries = reader.mappings(data.tasks, ["tasks"], TASK_KEYS, true);
  const tasks = entries.map(([entry, path]) => readTask(entry, path, reader));
  // All that is wrong is told at once: who mends one fault a time soon mends none.
  const paths = entries.map(([, path]) => path);
  checkReferences(tasks, { skills, reader, paths, file });
  if (problems.length > 0) return problems.sort((a, b) => a.line - b.line);
  return { id, title, file, sha256: createHash("sha256").update(text).digest("hex"), tasks };
}

const TASK_KEYS = ["id", "title", "skill", "depends_on", "inputs", "params", "requirements"];

function readTask(data: Data, path: Path, reader: PlanReader): PlanTask {
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
      .mappings(data.inputs, [...path, "inputs"], INPUT_KEYS)
      .map(([input, at]) => readInput(input, at, reader)),
    params,
    requirements: reader
      .mappings(data.requirements, [...path, "requirements"], REQUIREMENT_KEYS)
      .map(([requirement, at]) => readRequirement(requirement, at, reader)),
  };
}

const INPUT_KEYS = ["role", "file", "task", "artifact"];

function readInput(data: Data, path: Path, reader: PlanReader): TaskInput {
  const role = reader.text(data.role, [...path, "role"]) ?? null;
  const file = reader.text(data.file, [...path, "file"]);
  const task = reader.text(data.task, [...path, "task"]);
  const artifact = reader.text(data.artifact, [...path, "artifact"]);
  if (file !== undefined && task === undefined && artifact === undefined) return { role, file };
  if (file === undefined && task !== undefined && artifact !== undefined) return { role, task, artifact };
  reader.report(
    path,
    'An input must be { file } or { task, artifact }, with a "role" if the skill has several inputs.',
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

function readRequirement(data: Data, path: Path, reader: PlanReader): Requirement {
  const kind = REQUIREMENT_KINDS.find((known) => known === data.kind);
  if (!kind)
    reader.report(
      [...path, "kind"],
      `"kind" must be one of ${REQUIREMENT_KINDS.join(", ")}, found ${JSON.stringify(data.kind ?? null)}.`,
    );
  const { required = true, min_count: minCount = 1 } = data;
  if (typeof required !== "boolean")
    reader.report([...path, "required"], '"required" must be true or false.');
  if (!Number.isInteger(minCount) || Number(minCount) < 1)
    reader.report([...path, "min_count"], '"min_count" must be a whole number of at least 1.');
  const validation =
    data.validation === undefined || data.validation === null
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
