import { createHash } from "node:crypto";
import { basename, extname } from "node:path";
import { parseYamlFile, type YamlMap, type YamlPath, type YamlValue } from "@knack/core/internal/engine";
import { type Plan, type PlanTask, REQUIREMENT_KINDS, type Requirement, type TaskInput } from "../plan.ts";
import { checkReferences, type KnownSkills } from "./check-references.ts";
import { type PlanProblem, PlanReader } from "./plan-reader.ts";

/** Text of a `plan.yaml` → the plan, or everything that is wrong with it, each with its line. */
export function readPlan(text: string, file: string, skills: KnownSkills): Plan | readonly PlanProblem[] {
  const document = parseYamlFile(text);
  if ("fault" in document)
    return [{ file, line: document.line ?? 1, message: document.message, isDenied: false }];
  const reader = new PlanReader(file, document);
  const { data } = document;
  reader.keys(data, [], ["version", "plan", "title", "tasks"]);
  if (data.version !== 1) reader.wrong(["version"], "1", data.version);
  const id = reader.id(data.plan ?? basename(file, extname(file)), ["plan"]);
  const title = reader.text(data.title, ["title"], WORDS) ?? id;
  const entries = reader.mappings(data.tasks, ["tasks"], TASK_KEYS, { needed: true });
  const tasks = entries.map(([entry, path]) => readTask(entry, path, reader));
  // All faults are reported at once, so that they can be fixed together.
  const paths = entries.map(([, path]) => path);
  checkReferences(tasks, { skills, reader, paths, file });
  if (reader.problems.length > 0) return reader.problems.sort((a, b) => a.line - b.line);
  return { id, title, file, sha256: createHash("sha256").update(text).digest("hex"), tasks };
}

/** Titles and names of files may be numbers: `title: 2024`. */
const WORDS = { wholeNumbers: true };
const TASK_KEYS = ["id", "title", "skill", "depends_on", "inputs", "params", "requirements"];

function readTask(data: YamlMap, path: YamlPath, reader: PlanReader): PlanTask {
  const id = reader.id(data.id, [...path, "id"]);
  const text = (key: string): string | undefined => reader.text(data[key], [...path, key], WORDS);
  return {
    id,
    title: text("title") ?? id,
    skill: text("skill") ?? null,
    dependsOn: reader
      .list(data.depends_on, [...path, "depends_on"])
      .map((name, i) => reader.id(name, [...path, "depends_on", i])),
    inputs: reader
      .mappings(data.inputs, [...path, "inputs"], INPUT_KEYS)
      .map(([input, at]) => readInput(input, at, reader)),
    params: reader.mapping(data.params, [...path, "params"]) ?? {},
    requirements: reader
      .mappings(data.requirements, [...path, "requirements"], REQUIREMENT_KEYS)
      .map(([requirement, at]) => readRequirement(requirement, at, reader)),
  };
}

const INPUT_KEYS = ["role", "file", "task", "artifact"];

function readInput(data: YamlMap, path: YamlPath, reader: PlanReader): TaskInput {
  const text = (key: string): string | undefined => reader.text(data[key], [...path, key], WORDS);
  const [role, file, task, artifact] = [text("role") ?? null, text("file"), text("task"), text("artifact")];
  if (file !== undefined && task === undefined && artifact === undefined) return { role, file };
  if (file === undefined && task !== undefined && artifact !== undefined) return { role, task, artifact };
  reader.fail(
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

function readRequirement(data: YamlMap, path: YamlPath, reader: PlanReader): Requirement {
  const text = (key: string): string | null => reader.text(data[key], [...path, key], WORDS) ?? null;
  const texts = (value: YamlValue | undefined, at: YamlPath): string[] =>
    reader.list(value, at).map((one, i) => reader.text(one, [...at, i], { ...WORDS, needed: true }) ?? "");
  const types = texts(data.allowed_types, [...path, "allowed_types"]);
  const rules = reader.mapping(data.validation, [...path, "validation"], ["filename_keywords"]);
  return {
    name: reader.id(data.name, [...path, "name"]),
    kind: reader.oneOf(data.kind, [...path, "kind"], REQUIREMENT_KINDS, { needed: true }) ?? "FILE",
    required: reader.flag(data.required, [...path, "required"]) ?? true,
    minCount:
      reader.wholeNumber(data.min_count, [...path, "min_count"], "from 1 on", (number) => number >= 1) ?? 1,
    allowedTypes: types.map((type) => type.toLowerCase().replace(/^\./, "")),
    filenameKeywords: texts(rules?.filename_keywords, [...path, "validation", "filename_keywords"]),
    skill: text("skill"),
    evidence: text("evidence"),
  };
}
