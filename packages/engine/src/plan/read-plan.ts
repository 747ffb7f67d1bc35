import { hash } from "node:crypto";
import { basename, dirname, extname, resolve } from "node:path";
import { canonical, isInside, readRegularFile } from "@knack/core/files";
import { fewOf, KnackError, quote, shorten } from "@knack/core/text";
import { parseYamlFile, type YamlFault, YamlMapping, type YamlPath } from "@knack/core/yaml";
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
const PLAN_KEYS = ["version", "plan", "title", "tasks"];
const TASK_KEYS = ["id", "title", "skill", "depends_on", "inputs", "params", "requirements"];
const INPUT_KEYS = ["role", "file", "task", "artifact"];
const REQUIREMENT_KEYS = [
  ...["name", "kind", "required", "min_count", "allowed_types", "validation", "skill", "evidence", "task"],
];

/** The code of a fault that is understood and not allowed. */
const DENIED = "DENIED";

function readId(map: YamlMapping, at: string | YamlPath, value = map.value(at)): string {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text === "string" && ID.test(text) && !text.includes("..")) {
    // A run would refuse it as a part of an artifact's path.
    const problem = segmentProblem(text);
    if (problem === undefined) return text;
    map.fail(at, `"${map.nameOf(at)}": "${text}" ${problem} Choose another.`);
  } else map.wrong(at, 'at most 64 letters, digits, ".", "_" or "-", without ".."', value);
  return "";
}

function readTask(task: YamlMapping): PlanTask {
  const id = readId(task, "id");
  return {
    id,
    title: task.text("title", WORDS) ?? id,
    skill: task.text("skill", WORDS) ?? null,
    dependsOn: task.list("depends_on").map((_, i) => readId(task, ["depends_on", i])),
    inputs: task.mappings("inputs", INPUT_KEYS).map(readInput),
    params: task.mapping("params")?.data ?? {},
    requirements: task.mappings("requirements", REQUIREMENT_KEYS).map(readRequirement),
  };
}

function readInput(input: YamlMapping): TaskInput {
  const [role = null, file, task, artifact] = INPUT_KEYS.map((key) => input.text(key, WORDS));
  if (file !== undefined && task === undefined && artifact === undefined) return { role, file };
  if (file === undefined && task !== undefined && artifact !== undefined) return { role, task, artifact };
  const message =
    'An input must be { file } or { task, artifact }, with a "role" if the skill has several inputs.';
  input.fail(undefined, message);
  return { role, file: "" };
}

function readRequirement(given: YamlMapping): Requirement {
  const rules = given.mapping("validation", ["filename_keywords"]);
  return {
    name: readId(given, "name"),
    kind: given.oneOf("kind", REQUIREMENT_KINDS, { needed: true }) ?? "FILE",
    required: given.flag("required") ?? true,
    minCount: given.wholeNumber("min_count", "from 1 on", (n) => n >= 1) ?? 1,
    allowedTypes: given.texts("allowed_types", WORDS).map((type) => type.toLowerCase().replace(/^\./, "")),
    filenameKeywords: rules?.texts("filename_keywords", WORDS) ?? [],
    skill: given.text("skill", WORDS) ?? null,
    evidence: given.text("evidence", WORDS) ?? null,
    task: given.text("task", WORDS) ?? null,
  };
}

/** Names must mean something, and no task may wait for itself. What could not be read is empty, and was reported. */
function checkReferences(
  tasks: readonly PlanTask[],
  /** The same in the file. */
  entries: readonly YamlMapping[],
  { registered, whyLeftOut, within }: KnownSkills,
  file: string,
): void {
  // The first of two keeps the name.
  const places = new Map(tasks.map(({ id }, place) => [id, place] as const).reverse());
  const checkTask = (name: string, entry: YamlMapping, at: YamlPath): void => {
    // A task that could not be read may have the name that no other has.
    if (name === "" || places.has(name) || places.has("")) return;
    entry.unknownName(at, "task", name, [...places.keys()]);
  };
  /** A skipped registry entry is reported as such: the name is right, the entry is not. */
  const checkSkill = (name: string, entry: YamlMapping, at: YamlPath): void => {
    if (registered.has(name)) return;
    const why = whyLeftOut(name);
    if (why === undefined) entry.unknownName(at, "typed skill", name, [...registered.keys()]);
    else entry.fail(at, why);
  };
  const checkInput = (input: TaskInput, task: PlanTask, entry: YamlMapping, at: YamlPath): void => {
    if ("file" in input) {
      if (within === null || input.file === "") return;
      const named = resolve(dirname(file), input.file);
      const isOutside = !isInside(named, within) || !isInside(canonical(named), within);
      const message = `${quote(input.file)} is outside the project; ${PLAN_OF_STRANGER}`;
      if (isOutside) entry.fail([...at, "file"], message, DENIED);
      return;
    }
    const from = tasks[places.get(input.task) ?? -1];
    if (!from) {
      checkTask(input.task, entry, [...at, "task"]);
      return;
    }
    if (!task.dependsOn.includes(input.task))
      entry.fail(at, `This input is an artifact of "${input.task}", so "depends_on" must name that task.`);
    const maker = from.skill === null ? null : registered.get(from.skill);
    const made = maker === null ? [] : maker?.skill.outputs.artifacts.map(({ name }) => name);
    if (made && !made.includes(input.artifact))
      entry.unknownName([...at, "artifact"], `artifact of "${input.task}"`, input.artifact, made);
  };
  /** The skill whose output is asked for; of a task that is named, that task's. */
  const askedSkill = ({ skill, task }: Requirement, entry: YamlMapping, at: YamlPath): string | null => {
    if (skill !== null) checkSkill(skill, entry, [...at, "skill"]);
    if (task === null) return skill;
    const maker = tasks[places.get(task) ?? -1];
    if (!maker) checkTask(task, entry, [...at, "task"]);
    else if (maker.skill === null)
      entry.fail([...at, "task"], `The task "${task}" runs no skill, so it has no output.`);
    else if (skill !== null && skill !== maker.skill)
      entry.fail([...at, "skill"], `The task "${task}" runs ${maker.skill}, not ${skill}.`);
    return maker ? maker.skill : skill;
  };
  const checkRequirements = ({ requirements }: PlanTask, entry: YamlMapping): void => {
    const names = requirements.map(({ name }) => name);
    for (const [i, requirement] of requirements.entries()) {
      const { name, kind, evidence } = requirement;
      const at = ["requirements", i];
      if (name !== "" && names.indexOf(name) !== i)
        entry.fail([...at, "name"], `Two requirements are called "${name}".`);
      if (kind !== "SKILL_OUTPUT") continue;
      const skill = askedSkill(requirement, entry, at);
      const kinds = registered.get(skill ?? "")?.skill.outputs.evidences.map((declared) => declared.kind);
      if (kinds && evidence !== null && !kinds.includes(evidence))
        entry.unknownName([...at, "evidence"], `evidence of ${skill}`, evidence, kinds);
    }
  };
  for (const [place, task] of tasks.entries()) {
    const entry = entries[place]!;
    if (task.id !== "" && places.get(task.id) !== place)
      entry.fail("id", `Two tasks are called "${task.id}".`);
    for (const [i, name] of task.dependsOn.entries()) checkTask(name, entry, ["depends_on", i]);
    if (task.skill === null) {
      if (task.inputs.length > 0) entry.fail("inputs", 'Only a task with a "skill" can have inputs.');
      if (Object.keys(task.params).length > 0)
        entry.fail("params", 'Only a task with a "skill" can have parameters.');
    } else {
      checkSkill(task.skill, entry, ["skill"]);
      const known = registered.get(task.skill);
      if (known) checkCall(task, known, entry);
    }
    for (const [i, input] of task.inputs.entries()) checkInput(input, task, entry, ["inputs", i]);
    checkRequirements(task, entry);
  }
  const order = orderTasks(tasks);
  if ("cycle" in order)
    entries[places.get(order.cycle[0] ?? "") ?? 0]?.fail(
      "depends_on",
      `Tasks wait for each other in a cycle: ${fewOf(order.cycle, { separator: " → " })}.`,
    );
}

/** Whether a skill gets its declared inputs and parameters. Reports what a run would refuse. */
function checkCall(task: PlanTask, { skill, checkParams }: Registered, entry: YamlMapping): void {
  const roles = skill.inputs.filter(isFileInput).map(({ role }) => role);
  const whole = task.inputs.length > 0 ? "inputs" : undefined;
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
    if (fault.kind === "unknown") {
      const role = task.inputs[fault.index]?.role ?? "";
      entry.unknownName(["inputs", fault.index, "role"], `input of ${skill.name}`, role, roles);
    } else entry.fail("index" in fault ? ["inputs", fault.index] : whole, said(fault));
  });
  for (const input of skill.inputs) {
    const isAsked = task.requirements.some(
      ({ name, kind, required }) => name === input.role && kind === "CONFIRMATION" && required,
    );
    if (!isFileInput(input) && input.required && !isAsked)
      entry.fail(
        undefined,
        `${skill.name} needs the confirmation "${input.role}"; add { name: ${input.role}, kind: CONFIRMATION } to "requirements".`,
      );
  }
  const hasParams = Object.keys(task.params).length > 0;
  for (const { at: place, message } of checkParams(task.params).faults)
    entry.fail(hasParams ? ["params", ...place] : undefined, `${skill.name}: ${message}`);
}

/** Text of a `plan.yaml` → the plan, or everything that is wrong with it, each with its line. */
export function readPlan(text: string, file: string, skills: KnownSkills): Plan | readonly PlanProblem[] {
  const document = parseYamlFile(text);
  if ("fault" in document)
    return [{ file, line: document.line ?? 1, message: document.message, isDenied: false }];
  const problems: PlanProblem[] = [];
  const report = ({ line, message, code }: YamlFault): void =>
    void problems.push({ file, line, message, isDenied: code === DENIED });
  const top = new YamlMapping({ lineOf: document.lineOf, report }, document.data, PLAN_KEYS);
  if (top.value("version") !== 1) top.wrong("version", "1", top.value("version"));
  const id = readId(top, "plan", top.value("plan") ?? basename(file, extname(file)));
  const title = top.text("title", WORDS) ?? id;
  const entries = top.mappings("tasks", TASK_KEYS, { needed: true });
  const tasks = entries.map(readTask);
  // All faults are reported at once, so that they can be fixed together.
  checkReferences(tasks, entries, skills, file);
  if (problems.length > 0) return problems.sort((a, b) => a.line - b.line);
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
