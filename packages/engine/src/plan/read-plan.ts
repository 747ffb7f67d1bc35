import { hash } from "node:crypto";
import { basename, dirname, extname, resolve } from "node:path";
import { canonical, isInside, readRegularFile } from "@knack/core/files";
import { fewOf, KnackError, quote, shorten } from "@knack/core/text";
import {
  parseYamlFile,
  type YamlDocument,
  type YamlMap,
  type YamlPath,
  YamlReader,
  type YamlValue,
} from "@knack/core/yaml";
import { segmentProblem } from "../registry/path-template.ts";
import type { Registered } from "../registry/typed-skills.ts";
import { isFileInput } from "../run/input-kinds.ts";
import { assignRoles, type RoleFault } from "../run/prepare-run.ts";
import { readInProject } from "../shared/in-project.ts";
import { type Plan, type PlanTask, REQUIREMENT_KINDS, type Requirement, type TaskInput } from "./plan.ts";
import { orderTasks } from "./readiness.ts";

interface PlanProblem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
  /** It is clear what is meant, and that is not allowed. */
  readonly isDenied: boolean;
}

/** Ids become parts of paths and of commands. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The typed skills that a plan may name, and why others were skipped. */
export interface KnownSkills {
  readonly registered: ReadonlyMap<string, Registered>;
  whyLeftOut(name: string): string | undefined;
  /** The project that files must be in, where it is not trusted. */
  readonly within: string | null;
}

export const PLAN_OF_STRANGER =
  'the plan of an untrusted project may not read files outside it. Copy the file into the project, or run "knack trust".';

/** Titles and names of files may be numbers: `title: 2024`. */
const WORDS = { wholeNumbers: true };
const TASK_KEYS = ["id", "title", "skill", "depends_on", "inputs", "params", "requirements"];
const INPUT_KEYS = ["role", "file", "task", "artifact"];
const REQUIREMENT_KEYS = [
  ...["name", "kind", "required", "min_count", "allowed_types", "validation", "skill", "evidence", "task"],
];

/** Takes values out of a plan and collects what is not as it should be. */
class PlanReader extends YamlReader {
  readonly problems: PlanProblem[] = [];
  readonly #file: string;

  constructor(file: string, { lineOf }: YamlDocument) {
    super({
      lineOf,
      report: ({ line, message }) => this.problems.push({ file, line, message, isDenied: false }),
    });
    this.#file = file;
  }

  /** For what is understood and not allowed. */
  deny(path: YamlPath, message: string): void {
    this.problems.push({ file: this.#file, line: this.lineOf(path), message, isDenied: true });
  }

  id(value: YamlValue | undefined, path: YamlPath): string {
    const text = typeof value === "number" ? String(value) : value;
    if (typeof text === "string" && ID.test(text) && !text.includes("..")) {
      // A run would refuse it as a part of an artifact's path.
      const problem = segmentProblem(text);
      if (problem === undefined) return text;
      this.fail(path, `"${this.nameOf(path)}": "${text}" ${problem} Choose another.`);
      return "";
    }
    this.wrong(path, 'at most 64 letters, digits, ".", "_" or "-", without ".."', value);
    return "";
  }

  task(data: YamlMap, path: YamlPath): PlanTask {
    const id = this.id(data.id, [...path, "id"]);
    const text = (key: string): string | undefined => this.text(data[key], [...path, key], WORDS);
    return {
      id,
      title: text("title") ?? id,
      skill: text("skill") ?? null,
      dependsOn: this.list(data.depends_on, [...path, "depends_on"]).map((name, i) =>
        this.id(name, [...path, "depends_on", i]),
      ),
      inputs: this.mappings(data.inputs, [...path, "inputs"], INPUT_KEYS).map((one) => this.#input(...one)),
      params: this.mapping(data.params, [...path, "params"]) ?? {},
      requirements: this.mappings(data.requirements, [...path, "requirements"], REQUIREMENT_KEYS).map((one) =>
        this.#requirement(...one),
      ),
    };
  }

  #input(data: YamlMap, path: YamlPath): TaskInput {
    const text = (key: string): string | undefined => this.text(data[key], [...path, key], WORDS);
    const [role, file, task, artifact] = [text("role") ?? null, text("file"), text("task"), text("artifact")];
    if (file !== undefined && task === undefined && artifact === undefined) return { role, file };
    if (file === undefined && task !== undefined && artifact !== undefined) return { role, task, artifact };
    this.fail(
      path,
      'An input must be { file } or { task, artifact }, with a "role" if the skill has several inputs.',
    );
    return { role, file: "" };
  }

  #requirement(data: YamlMap, path: YamlPath): Requirement {
    const text = (key: string): string | null => this.text(data[key], [...path, key], WORDS) ?? null;
    const texts = (value: YamlValue | undefined, at: YamlPath): string[] =>
      this.list(value, at).map((one, i) => this.text(one, [...at, i], { ...WORDS, needed: true }) ?? "");
    const types = texts(data.allowed_types, [...path, "allowed_types"]);
    const rules = this.mapping(data.validation, [...path, "validation"], ["filename_keywords"]);
    return {
      name: this.id(data.name, [...path, "name"]),
      kind: this.oneOf(data.kind, [...path, "kind"], REQUIREMENT_KINDS, { needed: true }) ?? "FILE",
      required: this.flag(data.required, [...path, "required"]) ?? true,
      minCount: this.wholeNumber(data.min_count, [...path, "min_count"], "from 1 on", (n) => n >= 1) ?? 1,
      allowedTypes: types.map((type) => type.toLowerCase().replace(/^\./, "")),
      filenameKeywords: texts(rules?.filename_keywords, [...path, "validation", "filename_keywords"]),
      skill: text("skill"),
      evidence: text("evidence"),
      task: text("task"),
    };
  }
}

/** Names must mean something, and no task may wait for itself. What could not be read is empty, and was reported. */
function checkReferences(
  tasks: readonly PlanTask[],
  paths: readonly YamlPath[],
  { registered, whyLeftOut, within }: KnownSkills,
  file: string,
  reader: PlanReader,
): void {
  // The first of two keeps the name.
  const places = new Map(tasks.map(({ id }, place) => [id, place] as const).reverse());
  const checkTask = (name: string, path: YamlPath): void => {
    // A task that could not be read may have the name that no other has.
    if (name === "" || places.has(name) || places.has("")) return;
    reader.unknownName(path, "task", name, [...places.keys()]);
  };
  /** A skipped registry entry is reported as such: the name is right, the entry is not. */
  const checkSkill = (name: string, path: YamlPath): void => {
    if (registered.has(name)) return;
    const why = whyLeftOut(name);
    if (why === undefined) reader.unknownName(path, "typed skill", name, [...registered.keys()]);
    else reader.fail(path, why);
  };

  const checkInputs = (task: PlanTask, path: YamlPath): void => {
    for (const [i, input] of task.inputs.entries()) {
      const at: YamlPath = [...path, "inputs", i];
      if ("file" in input) {
        if (within === null || input.file === "") continue;
        const named = resolve(dirname(file), input.file);
        if (!isInside(named, within) || !isInside(canonical(named), within))
          reader.deny([...at, "file"], `${quote(input.file)} is outside the project; ${PLAN_OF_STRANGER}`);
        continue;
      }
      const from = tasks[places.get(input.task) ?? -1];
      if (!from) {
        checkTask(input.task, [...at, "task"]);
        continue;
      }
      if (!task.dependsOn.includes(input.task))
        reader.fail(at, `This input is an artifact of "${input.task}", so "depends_on" must name that task.`);
      const maker = from.skill === null ? null : registered.get(from.skill);
      const made = maker === null ? [] : maker?.skill.outputs.artifacts.map(({ name }) => name);
      if (made && !made.includes(input.artifact))
        reader.unknownName([...at, "artifact"], `artifact of "${input.task}"`, input.artifact, made);
    }
  };

  /** The skill whose output is asked for; of a task that is named, that task's. */
  const askedSkill = ({ skill, task }: Requirement, path: YamlPath): string | null => {
    if (skill !== null) checkSkill(skill, [...path, "skill"]);
    if (task === null) return skill;
    const maker = tasks[places.get(task) ?? -1];
    if (!maker) checkTask(task, [...path, "task"]);
    else if (maker.skill === null)
      reader.fail([...path, "task"], `The task "${task}" runs no skill, so it has no output.`);
    else if (skill !== null && skill !== maker.skill)
      reader.fail([...path, "skill"], `The task "${task}" runs ${maker.skill}, not ${skill}.`);
    return maker ? maker.skill : skill;
  };
  const checkRequirements = ({ requirements }: PlanTask, path: YamlPath): void => {
    const names = requirements.map(({ name }) => name);
    for (const [i, requirement] of requirements.entries()) {
      const { name, kind, evidence } = requirement;
      const at: YamlPath = [...path, "requirements", i];
      if (name !== "" && names.indexOf(name) !== i)
        reader.fail([...at, "name"], `Two requirements are called "${name}".`);
      if (kind !== "SKILL_OUTPUT") continue;
      const skill = askedSkill(requirement, at);
      const kinds = registered.get(skill ?? "")?.skill.outputs.evidences.map((declared) => declared.kind);
      if (kinds && evidence !== null && !kinds.includes(evidence))
        reader.unknownName([...at, "evidence"], `evidence of ${skill}`, evidence, kinds);
    }
  };

  for (const [place, task] of tasks.entries()) {
    const path = paths[place] ?? ["tasks", place];
    if (task.id !== "" && places.get(task.id) !== place)
      reader.fail([...path, "id"], `Two tasks are called "${task.id}".`);
    for (const [i, name] of task.dependsOn.entries()) checkTask(name, [...path, "depends_on", i]);
    if (task.skill === null) {
      if (task.inputs.length > 0)
        reader.fail([...path, "inputs"], 'Only a task with a "skill" can have inputs.');
      if (Object.keys(task.params).length > 0)
        reader.fail([...path, "params"], 'Only a task with a "skill" can have parameters.');
    } else {
      checkSkill(task.skill, [...path, "skill"]);
      const known = registered.get(task.skill);
      if (known) checkCall(task, known, path, reader);
    }
    checkInputs(task, path);
    checkRequirements(task, path);
  }
  const order = orderTasks(tasks);
  if ("cycle" in order) {
    const place = places.get(order.cycle[0] ?? "") ?? 0;
    reader.fail(
      [...(paths[place] ?? ["tasks", place]), "depends_on"],
      `Tasks wait for each other in a cycle: ${fewOf(order.cycle, { separator: " → " })}.`,
    );
  }
}

/** Whether a skill gets its declared inputs and parameters. Reports what a run would refuse. */
function checkCall(task: PlanTask, { skill, checkParams }: Registered, path: YamlPath, reader: PlanReader) {
  const roles = skill.inputs.filter(isFileInput).map(({ role }) => role);
  const at = task.inputs.length > 0 ? [...path, "inputs"] : path;
  const said = (fault: Exclude<RoleFault, { readonly kind: "unknown" }>): string => {
    if (fault.kind === "surplus")
      return `${skill.name} takes only these inputs: ${roles.join(", ") || "none"}; remove this one.`;
    if (fault.kind === "confirmation")
      return `"${fault.role}" of ${skill.name} is a confirmation, and a file is none; remove this input.`;
    if (fault.kind === "missing")
      return `${skill.name} needs the input "${fault.role}"; add { role: ${fault.role}, file: … } to "inputs".`;
    return `${skill.name} takes one file as "${fault.role}", found ${fault.count}.`;
  };
  assignRoles(skill, task.inputs, (fault) => {
    const own = "index" in fault ? [...path, "inputs", fault.index] : at;
    if (fault.kind !== "unknown") reader.fail(own, said(fault));
    else {
      const role = task.inputs[fault.index]?.role ?? "";
      reader.unknownName([...own, "role"], `input of ${skill.name}`, role, roles);
    }
  });
  for (const input of skill.inputs) {
    const isAsked = task.requirements.some(
      ({ name, kind, required }) => name === input.role && kind === "CONFIRMATION" && required,
    );
    if (!isFileInput(input) && input.required && !isAsked)
      reader.fail(
        path,
        `${skill.name} needs the confirmation "${input.role}"; add { name: ${input.role}, kind: CONFIRMATION } to "requirements".`,
      );
  }
  const hasParams = Object.keys(task.params).length > 0;
  for (const { at: place, message } of checkParams(task.params).faults)
    reader.fail(hasParams ? [...path, "params", ...place] : path, `${skill.name}: ${message}`);
}

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
  const tasks = entries.map(([entry, path]) => reader.task(entry, path));
  // All faults are reported at once, so that they can be fixed together.
  const paths = entries.map(([, path]) => path);
  checkReferences(tasks, paths, skills, file, reader);
  if (reader.problems.length > 0) return reader.problems.sort((a, b) => a.line - b.line);
  return { id, title, file, sha256: hash("sha256", text), tasks };
}

/** A plan is written by people. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Throws with every problem and its line. Of an untrusted project, a file must be inside: an error quotes what it says. */
export function readPlanFile(path: string, skills: KnownSkills): Plan {
  const within = skills.within !== null && isInside(path, skills.within) ? skills.within : null;
  const content =
    within === null ? readRegularFile(path, MAX_BYTES, true) : readInProject(path, within, MAX_BYTES);
  if ("leadsOut" in content)
    throw new KnackError(
      "ACCESS_DENIED",
      `${path} is outside the project (through a link), and the project is not trusted. Give the real path of the plan, or run "knack trust".`,
    );
  if ("fault" in content) {
    const isAbsent = content.detail === "ENOENT" || content.detail === "ENOTDIR";
    if (isAbsent) throw new KnackError("NOT_FOUND", `There is no plan ${shorten(path)}; check the path.`);
    const what = content.fault === "TOO_LARGE" ? `it is too large (${content.detail} bytes)` : content.detail;
    throw new KnackError("INVALID_PARAM", `${shorten(path)} cannot be read as a plan: ${what}.`);
  }
  const plan = readPlan(content.bytes.toString("utf8"), path, skills);
  if ("id" in plan) return plan;
  const problems = plan.map(({ line, message }) => `${path}:${line}: ${message}`);
  const isDenied = plan.every((problem) => problem.isDenied);
  throw new KnackError(isDenied ? "ACCESS_DENIED" : "INVALID_PARAM", fewOf(problems, { separator: "\n" }));
}
