import type { Tool, ToolContext } from "@knack/core";
import { escapeMessage, escapeWrapperTags, isRecord, KnackError, oneLine, quote } from "@knack/core/text";
import type { Engine } from "./open-engine.ts";
import { planTools } from "./plan-tools.ts";
import { paramsChecker } from "./registry/check-params.ts";
import { isReserved, isSkillName } from "./registry/report.ts";
import { type ConfirmationWanted, confirmationText, howToConfirm, isFileInput } from "./run/input-kinds.ts";
import type { GivenInput } from "./run/prepare-run.ts";
import { finishedReport, keptSentence, RUN_SCHEMA } from "./run/run-report.ts";
import type { TypedSkill } from "./shared/typed-skill.ts";
import { askPerson, OWN_USER, type ToolCaller } from "./tool-caller.ts";

/** Every typed skill as a tool of its name, `plan_status` and `plan_run`. Skipped entries say why, and are not listed. */
export function engineTools(engine: Engine, caller: ToolCaller = OWN_USER): Tool[] {
  // A name that no typed skill could have may be that of another tool.
  const names = engine.leftOut.filter((name) => isSkillName(name) && !isReserved(name));
  const leftOut = names.map((name) => leftOutTool(name, engine.whyLeftOut(name) ?? ""));
  const typed = engine.skills.map((skill) => toolOf(engine, skill, caller));
  return [...typed, ...leftOut, ...planTools(engine, caller)];
}

function leftOutTool(name: string, leftOut: string): Tool {
  const run = (): Promise<never> => Promise.reject(new KnackError("NOT_FOUND", leftOut));
  return { name, description: "", inputSchema: { type: "object" }, typed: "project", leftOut, run };
}

/** What an untrusted project writes is not read to a model. */
const UNTOLD = 'Declared by this project, which is not trusted ("knack trust").';

function toolOf(engine: Engine, skill: TypedSkill, caller: ToolCaller): Tool {
  const isKnown = skill.declared === null || engine.isTrusted;
  const roles = skill.inputs.map((input) => {
    const { role, required, many } = input;
    const how = !isFileInput(input) ? " (a person is asked to confirm it)" : many ? " (one or more)" : "";
    return `${role}${how}${required ? "" : " (optional)"}`;
  });
  const { artifacts, evidences } = skill.outputs;
  const made = [
    ...artifacts.map(({ name, format }) => `the artifact ${name} (${format})`),
    ...evidences.map(
      ({ kind, fields }) => `the evidence ${kind}${fields.length > 0 ? ` (${fields.join(", ")})` : ""}`,
    ),
  ];
  const makes = isKnown && made.length > 0 ? ` Makes: ${escapeMessage(oneLine(made.join(", ")))}.` : "";
  return {
    name: skill.name,
    description: `${isKnown ? endedSentence(escapeMessage(oneLine(skill.description)) || skill.name) : UNTOLD} A typed skill: it runs once for the same inputs and parameters, then returns the cached result. Inputs: ${roles.join(", ") || "none"}.${makes}`,
    inputSchema: {
      type: "object",
      properties: {
        inputs: {
          type: "array",
          description: "Files of the project, each with its role if the skill has several inputs.",
          items: {
            type: "object",
            properties: { role: { type: "string" }, path: { type: "string" } },
            required: ["path"],
            additionalProperties: false,
          },
        },
        params: isKnown ? { type: "object", ...skill.params.schema } : { type: "object" },
        task: { type: "string", description: "The task of a plan that this run is for." },
      },
      additionalProperties: false,
    },
    // Built-in skills read and write nothing but what they are given; the code of a project asks first.
    executes: engine.isCode(skill.name),
    typed: skill.declared === null ? "builtin" : "project",
    endsItself: true,
    dataSchema: RUN_SCHEMA,
    idempotent: true,
    ready: async () => void (await engine.checkTrust(skill.name)),
    run: async (params, { signal, actor, by, progress, authority }) => {
      const request = readRequest(skill, params);
      const insideProjectOnly = actor === "model" || caller.isConfined();
      const report = finishedReport(
        await engine.run(skill.name, {
          ...request,
          signal,
          insideProjectOnly,
          actor: by,
          confirm: (wanted) => confirmed(wanted, authority.confirm, caller),
          onLog: progress,
          onWait: progress,
        }),
      );
      if (report.error)
        throw new KnackError("EXECUTION_ERROR", `${report.error.code}: ${report.error.message}`, {
          data: { ...report },
        });
      const made = report.artifacts.map(({ name, path }) => `- ${name}: ${path}`).join("\n");
      const said = report.evidences.map(({ kind, data }) => `- ${kind}: ${JSON.stringify(data)}`).join("\n");
      const text = [
        `${skill.name} succeeded${report.cached ? ", from an earlier run" : ""}.`,
        made,
        said,
        ...(report.kept ?? []).map(keptSentence),
      ];
      // Evidence may quote the files that it is about.
      return { data: { ...report }, text: escapeWrapperTags(text.filter((part) => part !== "").join("\n")) };
    },
  };
}

function confirmed(wanted: ConfirmationWanted, ask: ToolContext["authority"]["confirm"], caller: ToolCaller) {
  const { skill, role } = wanted;
  return askPerson(
    { tool: skill, role, reason: confirmationText(wanted) },
    ask,
    caller,
    howToConfirm(skill, role),
  );
}

/** What a model had to fill in, and the schema refuses, was not given; a 0 that it allows may be meant. */
function withoutFillers(params: unknown, { schema }: TypedSkill["params"]): unknown {
  const check = paramsChecker(schema);
  const { properties, required } = schema;
  if (!isRecord(params) || !isRecord(properties) || "problem" in check) return params;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const refused = new Set(check(params).faults.map(({ at }) => at[0]));
  const isFiller = ([key, value]: [string, unknown]): boolean =>
    (value === null || value === "" || value === 0) &&
    refused.has(key) &&
    Object.hasOwn(properties, key) &&
    !needed.includes(key);
  return Object.fromEntries(Object.entries(params).filter((entry) => !isFiller(entry)));
}

function readRequest({ name, params: declared }: TypedSkill, given: Readonly<Record<string, unknown>>) {
  const { inputs = [], params = {}, task, ...others } = given;
  const wrong = (problem: string): never => {
    throw new KnackError("INVALID_PARAM", `${name}: ${problem}. Its parameters are inputs, params, task.`);
  };
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) wrong(`unknown parameter ${quote(unknown)}`);
  if (!Array.isArray(inputs)) wrong('"inputs" must be a list of {role?, path}');
  if (task !== undefined && typeof task !== "string") wrong('"task" must be text');
  const files = (inputs as unknown[]).map((input): GivenInput => {
    const { role: stated, path } = (typeof input === "object" && input !== null ? input : {}) as {
      role?: unknown;
      path?: unknown;
    };
    // A model that must fill in every property has no role to give.
    const role = stated === null || stated === "" ? undefined : stated;
    if (typeof path !== "string" || (role !== undefined && typeof role !== "string"))
      return wrong("an input must be {role?, path}");
    return { role, path };
  });
  return { inputs: files, params: withoutFillers(params, declared), task: task as string | undefined };
}

function endedSentence(text: string): string {
  return /[.!?。]$/.test(text) ? text : `${text}.`;
}
