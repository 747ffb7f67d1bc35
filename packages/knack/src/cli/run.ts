import { closeSync, existsSync, lstatSync, openSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { typedNameOf } from "@knack/core/catalog";
import { systemCode, writeDurably, writeError } from "@knack/core/files";
import { fewOf, KnackError, quote, shorten } from "@knack/core/text";
import {
  type ConfirmInput,
  confirmationText,
  type Engine,
  explainRun,
  finishedReport,
  isFileInput,
  keptSentence,
  type PlanStatus,
  parseJsonStrict,
  type RunReport,
  type RunSkillRequest,
  readArtifact,
  type TypedSkill,
  userName,
} from "@knack/engine";
import type { GuestPool } from "@knack/engine/guests";
import { refuseAgentCommands } from "../host/access.ts";
import { withEngine } from "../host/open-project.ts";
import { placeAt } from "../host/place.ts";
import { interruptible } from "../host/signals.ts";
import { fileInWayOf } from "../install/place.ts";
import { conflict, executionError, invalid, notFound } from "../options.ts";
import {
  askConsent,
  isTerminal,
  note,
  noteOnce,
  paint,
  passOn,
  print,
  printAnswer,
  printJson,
  printText,
  terminalWidth,
} from "../terminal/output.ts";
import { fieldLines } from "../terminal/table.ts";
import { escapeControl, visiblePath } from "../terminal/visible.ts";
import type { CommandOptions } from "./table/table.ts";

const STANDARD_OUTPUT = "-";

type WriteArtifact = (bytes: Buffer) => void;

/** What `--output` asks for. Throws before the skill runs where that is not possible. */
function outputOf(options: RunOptions, skill: TypedSkill | undefined): WriteArtifact | undefined {
  const { output, force = false, cwd = "." } = options;
  if (output === undefined) {
    if (force) throw invalid("--force replaces the file of --output; name one.");
    return undefined;
  }
  if (output === "") throw invalid("--output needs a file, or - for standard output.");
  if (options.explain)
    throw invalid("--explain runs nothing, so there is nothing for --output; leave one out.");
  if (skill && skill.outputs.artifacts.length === 0)
    throw invalid(`${skill.name} makes no artifact; leave out --output. --json prints its evidence.`);
  if (output !== STANDARD_OUTPUT) return toFile(resolve(cwd, output), force);
  if (options.json) throw invalid("--output - and --json both print to standard output; leave one out.");
  return writeToStandardOutput;
}

/** A pipe gets the bytes; a terminal gets nothing that steers it. */
function writeToStandardOutput(bytes: Buffer): void {
  if (terminalWidth() === undefined) passOn(1, bytes);
  else printText(bytes.toString("utf8").replace(/\n$/, ""));
}

function toFile(file: string, force: boolean): WriteArtifact {
  const mode = modeFor(file, force);
  return (bytes) => {
    // The name is taken first, so that a file that appeared meanwhile is not replaced.
    if (!force) reserve(file);
    const failure = writeDurably(file, mode, bytes);
    if (failure !== undefined) {
      if (!force) rmSync(file, { force: true });
      throw writeError(file, failure);
    }
    note(`Wrote ${visiblePath(file)}.`);
  };
}

/** A link is replaced, never followed: it may come with the project. A file that is replaced keeps its mode. */
function modeFor(file: string, force: boolean): number {
  const inWay = fileInWayOf(dirname(file));
  if (inWay !== undefined) throw invalid(`${shorten(inWay)} is a file, not a folder; name another place.`);
  if (!existsSync(dirname(file)))
    throw notFound(`There is no folder ${shorten(dirname(file))}; create it first.`);
  const there = lstatSync(file, { throwIfNoEntry: false });
  if (there === undefined) return 0o644;
  if (there.isDirectory()) throw invalid(`${shorten(file)} is a folder; name a file.`);
  if (!there.isFile() && !there.isSymbolicLink())
    throw invalid(`${shorten(file)} is not a file; name a file.`);
  if (!force) throw exists(file);
  return there.isFile() ? there.mode & 0o777 : 0o644;
}

function reserve(file: string): void {
  try {
    closeSync(openSync(file, "wx"));
  } catch (error) {
    const code = systemCode(error);
    throw code === "EEXIST" ? exists(file) : writeError(file, code);
  }
}

const exists = (file: string): KnackError =>
  conflict(`${shorten(file)} exists already; use --force to replace it.`);

type GivenInput = NonNullable<RunSkillRequest["inputs"]>[number];

/**
 * The files behind the skill's name take its inputs in declared order, then those of `--input` the inputs that are left.
 * An unknown skill has no inputs: the engine says that it is unknown.
 */
function readInputs(
  skill: TypedSkill | undefined,
  files: readonly string[],
  options: readonly string[],
): GivenInput[] {
  const declared = skill?.inputs.filter(isFileInput) ?? [];
  const named = options.map((given) => readOption(skill, given));
  const placed = files.map((path, place): GivenInput => {
    const input = declared[place];
    const twice = input && !input.many && named.find(({ role }) => role === input.role);
    if (twice)
      throw invalid(
        `The input "${input.role}" is given twice: ${shorten(path)} and --input ${input.role}=${shorten(twice.path)}. Leave one out, or name the other input: --input role=path.`,
      );
    return { role: input?.role, path };
  });
  return [...placed, ...named];
}

/** `role=path`; a prefix that is no declared role belongs to the path. */
function readOption(skill: TypedSkill | undefined, given: string): GivenInput {
  const at = given.indexOf("=");
  const role = given.slice(0, Math.max(0, at));
  return skill?.inputs.some((input) => input.role === role)
    ? { role, path: given.slice(at + 1) }
    : { path: given };
}

/** Asks for what `--confirm` names, on the terminal. `--explain` asks nobody. */
function confirmerOf(skill: TypedSkill | undefined, options: RunOptions): ConfirmInput {
  const { confirm: named = [], yes = false, explain = false } = options;
  if (yes && named.length === 0) throw invalid("--yes needs --confirm.");
  const roles = skill?.inputs.filter((input) => !isFileInput(input)).map(({ role }) => role);
  const unknown = named.find((role) => roles && !roles.includes(role));
  if (unknown !== undefined)
    throw invalid(
      `${skill?.name} has no confirmation ${quote(unknown)}; it has ${fewOf(roles ?? []) || "none"}.`,
    );
  return async (wanted) => {
    if (!named.includes(wanted.role)) return null;
    const given = { by: userName(process.env), at: new Date().toISOString() };
    if (explain) return given;
    await refuseAgentCommands(placeAt(options));
    const what = escapeControl(confirmationText(wanted));
    const answer = yes ? "yes" : await askConsent(`${what} Do you confirm it?`, false);
    if (answer === "yes") return given;
    if (answer === undefined) throw invalid(`${what} Run it in a terminal to be asked, or add --yes.`);
    throw new KnackError("ACCESS_DENIED", `${wanted.skill} did not run: you did not confirm ${wanted.role}.`);
  };
}

type RunOptions = CommandOptions<"run">;
/** The same of a run and of a plan. */
export type QueueOptions = Pick<RunOptions, "json" | "queue" | "priority" | "wait">;

/** They would be ignored, and whoever wrote them expects something of them. */
export function refuseQueueOptions({ queue, priority, wait }: QueueOptions): void {
  if (queue) return;
  const given = priority !== undefined ? "--priority" : wait === false ? "--no-wait" : undefined;
  if (given) throw invalid(`${given} needs --queue.`);
}

/** Queues a run and waits for it; `undefined` where nothing is left to say. Ctrl-C ends the waiting alone. */
async function runInQueue(
  engine: Engine,
  name: string,
  { signal, onLog: _, onWait: __, ...request }: RunSkillRequest & { readonly signal: AbortSignal },
  options: QueueOptions,
): Promise<Awaited<ReturnType<Engine["run"]>> | undefined> {
  const queued = await engine.enqueue(name, { ...request, priority: options.priority });
  if (queued.queued && options.wait === false) {
    const { id, skill, state } = queued.queued;
    printAnswer(options, { id, skill, state }, `${state} ${escapeControl(skill)}\n  queued     ${id}`);
    return undefined;
  }
  // Without a cache the same command asks for another run.
  const again = queued.prepared.caching ? " The same command waits for its result again." : "";
  const stays = `The run stays in the queue. "knack queue" shows it, "knack queue cancel ${queued.queued?.id}" cancels it.${again}`;
  const following = (await engine.queue()).follow(queued, signal, tellReason);
  return following.catch((error: unknown) => {
    if (signal.aborted && queued.queued) note(stays);
    throw error;
  });
}

export async function runPlanInQueue(
  engine: Engine,
  file: string,
  shared: Parameters<Engine["runPlan"]>[1] & { readonly signal: AbortSignal },
  options: QueueOptions,
): Promise<PlanStatus> {
  const { priority, wait } = options;
  try {
    return await engine.runPlanQueued(file, {
      ...shared,
      priority,
      follows: wait !== false,
      waits: tellReason,
    });
  } catch (error) {
    if (shared.signal.aborted)
      note(
        'Queued runs stay in the queue. "knack queue" shows them, "knack queue cancel <id>" cancels one, and the same command follows them again.',
      );
    throw error;
  }
}

/** Once: a plan may have a thousand runs that wait for the same. */
const tellReason = (reason: string): void => noteOnce(`waiting: ${reason}`);

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
      confirm: confirmerOf(skill, options),
      signal,
      onLog: isTerminal(2) ? (line: string) => note(escapeControl(line)) : undefined,
      onWait: (line: string) => note(escapeControl(line)),
    };
    if (options.explain) {
      const prepared = await engine.prepare(name, request);
      const contents = engine.hasStore ? await engine.contents() : null;
      const explanation = await explainRun(await engine.history(), prepared, project, contents);
      return printAnswer(options, explanation, explanationText(explanation));
    }
    const finished = options.queue
      ? await runInQueue(engine, name, request, options)
      : await engine.run(name, request);
    if (!finished) return;
    const report = finishedReport(finished);
    if (report.status === "FAILED") process.exitCode = 1;
    for (const edit of report.kept ?? []) note(escapeControl(keptSentence(edit)));
    const artifact = output && report.status === "SUCCEEDED" ? writtenArtifact(report) : undefined;
    if (artifact) output?.(readArtifact(project, artifact));
    if (options.json) printJson(report);
    // Standard output is for the artifact alone.
    else if (options.output !== STANDARD_OUTPUT) print(runText(report));
    else if (!artifact) note(runText(report));
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

function writtenArtifact({
  skill,
  artifacts: [first, ...others],
}: RunReport): RunReport["artifacts"][number] {
  if (!first) throw executionError(`${skill} made no artifact this time; nothing was written.`);
  if (others.length > 0)
    note(escapeControl(`--output has ${first.name}; also made: ${fewOf(others.map(({ path }) => path))}`));
  return first;
}

/** `k=v`, where v is JSON if it is JSON, else text. */
function readParams(given: readonly string[]): Record<string, unknown> {
  const params: Record<string, unknown> = Object.create(null);
  for (const text of given) {
    const at = text.indexOf("=");
    if (at < 1) throw invalid(`--param takes name=value, not ${quote(text)}.`);
    const key = text.slice(0, at);
    if (key in params) throw invalid(`--param ${key} is given twice.`);
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
  if ("problem" in read) throw invalid(`--param ${key}: ${read.problem}`);
  return read.value;
}

export function runText(report: RunReport): string {
  const state = report.status === "SUCCEEDED" ? paint("green", "SUCCEEDED") : paint("red", report.status);
  const how = report.cached ? " (from an earlier run)" : "";
  const { inputs, isolation, made_by: by, artifacts, evidences, error } = report;
  const confirmed = inputs.filter((input) => input.confirmed_by !== undefined);
  const rows = [
    ["run", report.id],
    ["key", report.key],
    ...confirmed.map(
      (input) => ["confirmed", `${input.role}: ${input.confirmed_by}, ${input.confirmed_at}`] as const,
    ),
    ...(isolation ? [["isolation", isolation]] : []),
    ...(by ? [["made by", by]] : []),
    ...artifacts.map(({ name, path }) => ["artifact", `${name}: ${path}`]),
    ...evidences.map(({ kind, data }) => ["evidence", `${kind}: ${JSON.stringify(data)}`]),
    ...(error ? [["error", `${error.code}: ${error.message}`]] : []),
  ];
  const head = `${state} ${escapeControl(report.skill)}${how}`;
  return [head, ...fieldLines(rows, "  ")].join("\n");
}

function explanationText({ key, parts, hit, reasons }: Awaited<ReturnType<typeof explainRun>>): string {
  const rows = [
    ["version", parts.version || "none"],
    ["implementation", `${parts.implementation} (${parts.implementation_digest.slice(0, 16)})`],
    ...parts.inputs.map(({ role, sha256, path }) => ["input", `${role} = ${sha256} ${path}`]),
    ["params", parts.params === null ? "not part of the key" : JSON.stringify(parts.params)],
    ["env", parts.env.join(", ") || "none"],
    ["strategy", parts.strategy],
  ];
  return [
    `key ${key}`,
    ...fieldLines(rows, "  "),
    hit ? "It would return the cached result of an earlier run." : "It would run.",
    ...reasons.map((reason) => `  ${escapeControl(reason)}`),
  ].join("\n");
}
