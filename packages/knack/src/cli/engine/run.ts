import { SkillError } from "@knack/core";
import { fewOf, quote, typedNameOf } from "@knack/core/internal";
import {
  type Engine,
  EngineError,
  explainRun,
  finishedReport,
  keptSentence,
  parseJsonStrict,
  type RunReport,
  readArtifact,
  type TypedSkill,
} from "@knack/engine";
import type { GuestPool } from "@knack/engine/internal/guests";
import { interruptible } from "../../host/interruptible.ts";
import { withEngine } from "../../host/open-engine.ts";
import type { GlobalOptions } from "../../options.ts";
import { isTerminal, note, painter, print, printJson } from "../../terminal/output.ts";
import { escapeControl } from "../../terminal/visible.ts";
import { outputOf, STANDARD_OUTPUT } from "./output-file.ts";
import { readInputs } from "./read-inputs.ts";
import { refuseQueueOptions, runInQueue } from "./run-in-queue.ts";

export interface RunOptions extends GlobalOptions {
  readonly input?: readonly string[];
  readonly param?: readonly string[];
  readonly task?: string;
  readonly explain?: boolean;
  readonly output?: string;
  readonly force?: boolean;
  readonly queue?: boolean;
  readonly priority?: string;
  readonly wait?: boolean;
}

export async function run(
  name: string,
  files: readonly string[],
  options: RunOptions,
  guests: GuestPool,
): Promise<void> {
  refuseQueueOptions(options);
  const work = async (engine: Engine, project: string): Promise<void> => {
    const skill = findTyped(engine, name);
    const output = outputOf(options, skill);
    const signal = interruptible();
    const request = {
      inputs: readInputs(skill, files, options.input ?? []),
      params: readParams(options.param ?? []),
      task: options.task,
      signal,
      onLog: isTerminal(2) ? (line: string) => note(escapeControl(line)) : undefined,
      onWait: (line: string) => note(escapeControl(line)),
    };
    if (options.explain) {
      const prepared = await engine.prepare(name, request);
      const contents = engine.hasStore ? await engine.contents() : null;
      const explanation = await explainRun(await engine.history(), prepared, project, contents);
      if (options.json) printJson(explanation);
      else printExplanation(explanation);
      return;
    }
    const finished = options.queue
      ? await runInQueue(engine, name, request, options)
      : await engine.run(name, request);
    if (!finished) return;
    const report = finishedReport(finished);
    if (report.status === "FAILED") process.exitCode = 1;
    for (const edit of report.kept ?? []) note(escapeControl(keptSentence(edit)));
    const artifact = output && report.status === "SUCCEEDED" ? writtenArtifact(report) : undefined;
    if (artifact) output?.write(readArtifact(project, artifact));
    if (options.json) printJson(report);
    // Standard output is for the artifact alone.
    else if (options.output !== STANDARD_OUTPUT) print(runText(report, options));
    else if (!artifact) note(runText(report, options));
  };
  await withEngine(options, work, { guests });
}

function findTyped(engine: Engine, name: string): TypedSkill | undefined {
  const known = typedNameOf(
    engine.skills.map((skill) => skill.name),
    name,
  );
  return engine.skills.find((skill) => skill.name === known);
}

/** The first of the artifacts, in the order that the skill returned them. */
function writtenArtifact({
  skill,
  artifacts: [first, ...others],
}: RunReport): RunReport["artifacts"][number] {
  if (!first)
    throw new EngineError("EXECUTION_ERROR", `${skill} made no artifact this time; nothing was written.`);
  if (others.length > 0)
    note(escapeControl(`--output has ${first.name}; also made: ${fewOf(others.map(({ path }) => path))}`));
  return first;
}

/** `k=v`, where v is JSON if it is JSON, else text. */
function readParams(given: readonly string[]): Record<string, unknown> {
  const params: Record<string, unknown> = Object.create(null);
  for (const text of given) {
    const at = text.indexOf("=");
    if (at < 1) throw new SkillError("INVALID_PARAM", `--param takes name=value, not ${quote(text)}.`);
    const key = text.slice(0, at);
    if (key in params) throw new SkillError("INVALID_PARAM", `--param ${key} is given twice.`);
    params[key] = readValue(key, text.slice(at + 1));
  }
  return params;
}

/** What is no JSON is text: that is the rule, not a fault. JSON that two readers could read in two ways is one. */
function readValue(key: string, text: string): unknown {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  const read = parseJsonStrict(text);
  if ("problem" in read) throw new SkillError("INVALID_PARAM", `--param ${key}: ${read.problem}`);
  return read.value;
}

export function printRun(report: RunReport, options: GlobalOptions): void {
  print(runText(report, options));
}

function runText(report: RunReport, options: GlobalOptions): string {
  const paint = painter(options);
  const state = report.status === "SUCCEEDED" ? paint("green", "SUCCEEDED") : paint("red", report.status);
  const how = report.cached ? " (from an earlier run)" : "";
  const lines = [
    `${state} ${escapeControl(report.skill)}${how}`,
    `  run        ${report.id}`,
    `  key        ${report.key}`,
  ];
  if (report.isolation) lines.push(`  isolation  ${report.isolation}`);
  for (const { name, path } of report.artifacts)
    lines.push(`  artifact   ${escapeControl(name)}: ${escapeControl(path)}`);
  for (const { kind, data } of report.evidences)
    lines.push(`  evidence   ${escapeControl(kind)}: ${escapeControl(JSON.stringify(data))}`);
  if (report.error)
    lines.push(`  error      ${escapeControl(report.error.code)}: ${escapeControl(report.error.message)}`);
  return lines.join("\n");
}

function printExplanation({ key, parts, hit, reasons }: Awaited<ReturnType<typeof explainRun>>): void {
  print(
    [
      `key ${key}`,
      `  version         ${escapeControl(parts.version || "none")}`,
      `  implementation  ${escapeControl(parts.implementation)} (${parts.implementation_digest.slice(0, 16)})`,
      ...parts.inputs.map(
        ({ role, sha256, path }) =>
          `  input           ${escapeControl(role)} = ${sha256} ${escapeControl(path)}`,
      ),
      `  params          ${parts.params === null ? "not part of the key" : escapeControl(JSON.stringify(parts.params))}`,
      `  env             ${escapeControl(parts.env.join(", ") || "none")}`,
      `  strategy        ${parts.strategy}`,
      hit ? "It would return the cached result of an earlier run." : "It would run.",
      ...reasons.map((reason) => `  ${escapeControl(reason)}`),
    ].join("\n"),
  );
}
