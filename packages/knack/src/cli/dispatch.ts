import { closeSync, openSync, readSync } from "node:fs";
import { resolve } from "node:path";
import {
  type Catalog,
  type Dispatched,
  type DispatchRequest,
  type EdgeType,
  type Refusal,
  type Runner,
  SkillError,
} from "@knack/core";
import { typedSkillNames } from "@knack/core/catalog";
import { writeWhole } from "@knack/core/files";
import {
  allOf,
  route as chooseRoute,
  failureOf,
  findRunner,
  isRefusal,
  loadRouting,
  MAX_REQUEST,
  newRequestId,
  type OtherRoute,
  ROLES,
  type RouteAnswer,
  type Routing,
  routeToSkill,
  trustNotice,
} from "@knack/core/session";
import { quote } from "@knack/core/text";
import { type Host, openHost } from "../host/host.ts";
import { openProject, type Project, withProject } from "../host/open-project.ts";
import { interruptible } from "../host/signals.ts";
import type { GlobalOptions } from "../options.ts";
import { note, noteOnce, painter, passOn, print, printJson, terminalWidth } from "../terminal/output.ts";
import { table } from "../terminal/table.ts";
import { escapeControl, escapeControlInText } from "../terminal/visible.ts";

const MAX_BYTES = 4 * 1024 * 1024;
const STDIN = 0;

/** A task from a file, a pipe or standard input (`-`): text, and no more of it than a model could read. */
export function readPromptFile(given: string, cwd: string): string {
  const name = given === "-" ? "standard input" : given;
  const bytes = readBounded(given === "-" ? STDIN : resolve(cwd, given), name);
  if (bytes.length > MAX_BYTES)
    throw new SkillError("INVALID_PARAM", `--prompt-file: ${name} has more than ${MAX_BYTES} bytes.`);
  try {
    if (!bytes.includes(0)) return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw new SkillError("INVALID_PARAM", `--prompt-file: ${name} is not UTF-8 text.`);
}

/** One byte more than allowed shows that there is more. */
function readBounded(file: number | string, name: string): Buffer {
  const bytes = Buffer.alloc(MAX_BYTES + 1);
  let length = 0;
  try {
    const fd = typeof file === "number" ? file : openSync(file, "r");
    try {
      for (let read = -1; read !== 0 && length < bytes.length; length += read)
        read = readSome(fd, bytes.subarray(length));
    } finally {
      if (fd !== STDIN) closeSync(fd);
    }
  } catch (error) {
    const code = codeOf(error);
    const missing = code === "ENOENT" || code === "ENOTDIR";
    const why = code === "EISDIR" ? "is a folder" : missing ? "does not exist" : `cannot be read (${code})`;
    throw new SkillError(missing ? "NOT_FOUND" : "INVALID_PARAM", `--prompt-file: ${name} ${why}.`);
  }
  return bytes.subarray(0, length);
}

/** Waits where a terminal or a pipe has nothing yet. */
function readSome(fd: number, into: Buffer): number {
  for (;;) {
    try {
      return readSync(fd, into);
    } catch (error) {
      const code = codeOf(error);
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  throw error;
}

export interface DispatchFlags extends GlobalOptions {
  readonly role: string;
  readonly skill: string;
  readonly prompt?: string;
  readonly promptFile?: string;
  readonly executionMode?: "root" | "delegated";
  readonly depth?: string;
  readonly parentSkill?: string;
  readonly edgeType?: EdgeType;
  readonly visitedSkills?: string;
  readonly skillStack?: string;
  readonly maxDepth?: string;
  readonly allowReentry?: boolean;
  readonly requestId?: string;
  readonly runner?: string;
  readonly runnerCmd?: string;
  readonly timeout?: string;
  readonly outputFile?: string;
  readonly dryRun?: boolean;
}

/** The flags as the dispatcher takes them. Throws `SkillError` with the flag that is wrong. */
export function readRequest(flags: DispatchFlags): DispatchRequest {
  const role = ROLES.find((known) => known === flags.role);
  if (!role) throw wrong(`--role must be one of ${ROLES.join(", ")}, not ${quote(flags.role)}.`);
  if (flags.requestId?.trim() === "") throw wrong("--request-id is empty.");
  return {
    role,
    skill: { name: flags.skill },
    prompt: readPrompt(flags),
    requestId: flags.requestId ?? newRequestId(new Date()),
    mode: flags.executionMode,
    depth: readCount("--depth", flags.depth),
    parent: flags.parentSkill,
    edgeType: flags.edgeType,
    visited: readNames(flags.visitedSkills),
    stack: readNames(flags.skillStack),
    maxDepth: readCount("--max-depth", flags.maxDepth),
    allowReentry: flags.allowReentry,
  };
}

/** How long each runner may take, in milliseconds. */
export function readTimeout({ timeout }: DispatchFlags): number | undefined {
  if (timeout === undefined) return undefined;
  const seconds = /^\d+(?:\.\d+)?$/.test(timeout) ? Number(timeout) : 0;
  if (!(seconds > 0 && seconds <= 2_000_000))
    throw wrong(`--timeout must be a number of seconds above 0, not ${quote(timeout)}.`);
  return seconds * 1000;
}

function readPrompt({ prompt, promptFile, cwd = "." }: DispatchFlags): string | undefined {
  if (promptFile === undefined) return prompt;
  if (prompt !== undefined) throw wrong("Give --prompt or --prompt-file, not both.");
  return readPromptFile(promptFile, cwd);
}

function readCount(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,6}$/.test(text))
    throw wrong(`${flag} must be a whole number of at least 0, not ${quote(text)}.`);
  return Number(text);
}

function readNames(text: string | undefined): string[] {
  return (text ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function wrong(message: string): SkillError {
  return new SkillError("INVALID_PARAM", message);
}

export function tellRefusal(refusal: Refusal, flags: DispatchFlags): void {
  process.exitCode = 1;
  if (flags.json) printJson({ error: refusal });
  else note(`${painter(flags, 2)("red", "error:")} ${lineOf(refusal)}`);
}

export function lineOf({
  code,
  message,
  current_skill,
  target_skill,
  depth,
  skill_stack,
  request_id,
}: Refusal): string {
  const from = current_skill === null ? "the outermost request" : current_skill;
  const where = `${from} → ${target_skill}, depth ${depth}, stack ${skill_stack.join(" > ") || "empty"}, ${request_id}`;
  return escapeControl(`${code}: ${message} (${where})`);
}

/** What would be given to a runner, or be called. */
export function tellFrame(
  { header, frame, files, tool }: Dispatched,
  flags: DispatchFlags,
  more: object,
): void {
  if (flags.json) printJson({ ...more, header, frame, files, ...(tool ? { tool } : {}) });
  else if (flags.outputFile !== undefined) note(`The frame is in ${escapeControl(flags.outputFile)}.`);
  // A program gets the bytes that a model would get; a terminal gets nothing that steers it.
  else print(terminalWidth() === undefined ? frame : escapeControlInText(frame));
}

/** How it went: what failed, then the tree where it is one. */
export function tellTree(tree: Dispatched, flags: DispatchFlags, more: object): void {
  const all = allOf(tree);
  const paint = painter(flags, 2);
  for (const one of all) {
    const why = failureOf(one);
    if (why === undefined) continue;
    process.exitCode = 1;
    note(`${paint("red", "failed:")} ${escapeControl(`${one.header.identity.current_skill}: ${why}`)}`);
  }
  if (flags.json) printJson({ ...more, ...reportOf(tree) });
  else if (all.length > 1) note(all.map((one) => branch(one, tree)).join("\n"));
}

function branch(one: Dispatched, root: Dispatched): string {
  const { header, tool } = one;
  const indent = "  ".repeat(header.trace.depth - root.header.trace.depth);
  const done = tool ? `${tool.name} called` : "done";
  const how = failureOf(one) === undefined ? done : "failed";
  return `${indent}${escapeControl(`${header.identity.current_skill}: ${how}`)}`;
}

function reportOf({ header, runner, tool, children, refusals }: Dispatched): object {
  return { header, runner, ...(tool ? { tool } : {}), children: children.map(reportOf), refusals };
}

/** One dispatch. What a runner prints is passed on as it comes; under `--json` to standard error. */
export async function dispatch(
  flags: DispatchFlags,
  { project = openProject(flags), ...more }: { readonly route?: object; readonly project?: Project } = {},
): Promise<void> {
  const runnerMs = readTimeout(flags);
  const runner = await runnerOf(flags, project);
  // A person reads what they like; a runner gets an untrusted project's skills never.
  const host = await openHost(project, "cli", runner ? {} : { offersProject: true });
  try {
    await dispatchWith(host, runner, runnerMs, flags, more);
  } finally {
    await host.close();
  }
}

async function dispatchWith(
  { runtime }: Host,
  runner: Runner | undefined,
  runnerMs: number | undefined,
  flags: DispatchFlags,
  more: { readonly route?: object },
): Promise<void> {
  const request = readRequest(flags);
  const unread = new AbortController();
  const interrupted = interruptible();
  const signal = AbortSignal.any([interrupted, unread.signal]);
  const outcome = await runtime
    .session()
    .dispatch(request, {
      actor: "person",
      signal,
      runner,
      limits: runnerMs === undefined ? {} : { runnerMs },
      onFrame: onceFor(flags),
      onOutput: (stream, bytes) => {
        if (!passOn(stream === "stderr" || flags.json ? 2 : 1, bytes)) unread.abort();
      },
      onAnswer: ({ error, text }) => {
        if (!error && !flags.json) print(terminalWidth() === undefined ? text : escapeControlInText(text));
      },
    })
    .catch((error: unknown) => {
      if (interrupted.aborted) {
        process.exitCode = 130;
        throw interrupted.reason;
      }
      if (unread.signal.aborted) return null;
      throw error;
    });
  if (outcome === null) return;
  if (isRefusal(outcome)) {
    tellRefusal(outcome, flags);
    return;
  }
  for (const refusal of outcome.refusals) note(`refused: ${lineOf(refusal)}`);
  if (runner === undefined) tellFrame(outcome, flags, more);
  else tellTree(outcome, flags, more);
}

async function runnerOf(flags: DispatchFlags, project: Project): Promise<Runner | undefined> {
  const { config } = await project.config();
  const runner = findRunner({ name: flags.runner, command: flags.runnerCmd }, config.runners);
  return flags.dryRun ? undefined : runner;
}

/** The first frame is the one that was asked for; it is written before a runner could work for an hour in vain. */
function onceFor({ outputFile, cwd = "." }: DispatchFlags): (frame: string) => void {
  let isWritten = outputFile === undefined;
  return (frame) => {
    if (!isWritten) writeFrame(frame, resolve(cwd, outputFile ?? ""));
    isWritten = true;
  };
}

function writeFrame(frame: string, file: string): void {
  const code = writeWhole(file, frame);
  if (code !== undefined)
    throw new SkillError("CONFLICT", `The frame cannot be written to ${file} (${code}).`);
}

/** The routing as the command line has it: what is proposed is run, so an untrusted project has no say in it. */
export async function openRouting(project: Project): Promise<{ catalog: Catalog; routing: Routing }> {
  const { trusted } = project.place;
  const catalog = await project.catalog({ withoutProject: !trusted });
  const routing = loadRouting(catalog, trusted, await namesOfTyped(catalog, trusted));
  for (const line of routing.notes) noteOnce(line);
  if (catalog.waitingForTrust > 0) noteOnce(trustNotice(catalog));
  return { catalog, routing };
}

/** The typed skills that a route may name; of an untrusted project none but the built-in ones. */
export function namesOfTyped({ config }: Catalog, trusted: boolean): Promise<readonly string[]> {
  return typedSkillNames(trusted ? config.registry : []);
}

export async function route(words: readonly string[], options: GlobalOptions): Promise<void> {
  const request = words.join(" ");
  const { place, answer } = await withProject(options, async (project) => {
    const place = await openRouting(project);
    const answer = chooseRoute(request, place);
    await recordRoute(request, answer, project);
    return { place, answer };
  });
  if (request.length > MAX_REQUEST)
    note(
      `note: rules look at the first ${MAX_REQUEST} characters of a request; this one has ${request.length}.`,
    );
  if (options.json) printJson(answer);
  else print(explainRoute(answer, options, prioritiesOf(place.routing)).join("\n"));
}

/** By rule, where they are not all alike: then they say why one rule came before another. */
function prioritiesOf({ routes }: Routing): ReadonlyMap<string, number> {
  const isTold = routes.some(({ priority }) => priority !== 0);
  return new Map(isTold ? routes.map(({ id, priority }) => [id, priority]) : []);
}

/** Longer ones are cut in the log. */
const MAX_RECORDED = 500;

/** Where the project has a log, it says where a request was sent, and why. */
export async function recordRoute(
  request: string,
  { role, skill, source, rule, matched }: RouteAnswer,
  project: Project,
  requestId?: string,
): Promise<void> {
  const id = requestId === undefined ? {} : { request_id: requestId };
  const text = request.slice(0, MAX_RECORDED).toWellFormed();
  const data = { status: "routed", ...id, request: text, role, skill, source, rule, matched };
  await project.record({ type: "DISPATCHED", actor: "person", data }, "cli");
}

/** For a person: who gets it, why, by which words, and what else was close. */
export function explainRoute(
  answer: RouteAnswer,
  options: GlobalOptions,
  priorities: ReadonlyMap<string, number> = new Map(),
): string[] {
  const paint = painter(options);
  const { role, skill, reason, source, rule, matched, others } = answer;
  const by = { rule: nameOf(rule, priorities), search: "the search", default: "the default" }[source];
  const rows: [string, string][] = [
    ["role", role],
    ["skill", skill ?? "none"],
    ["by", by],
    ["because", reason],
    ...(matched.length > 0 ? [["matched", quoted(matched)] as [string, string]] : []),
  ];
  const lines = rows.map(([key, value]) => `${paint("bold", key.padEnd(7))}  ${escapeControl(value)}`);
  if (others.length === 0) return lines;
  const columns = [
    { title: "ROLE", drop: 2 },
    { title: "SKILL" },
    { title: "BY", drop: 1 },
    { title: "MATCHED", flexible: true },
  ];
  const [head = "", ...rest] = table(
    columns,
    others.map((other) => row(other, priorities)),
    terminalWidth(),
  );
  return [...lines, "", paint("bold", "also close"), paint("bold", head), ...rest];
}

function nameOf(rule: string | null, priorities: ReadonlyMap<string, number>): string {
  const priority = rule === null ? undefined : priorities.get(rule);
  return priority === undefined ? `rule ${rule}` : `rule ${rule} (priority ${priority})`;
}

function row(
  { role, skill, rule, score, matched }: OtherRoute,
  priorities: ReadonlyMap<string, number>,
): string[] {
  const by = rule === null ? `search ${score?.toFixed(2) ?? ""}` : nameOf(rule, priorities);
  return [role, escapeControl(skill), escapeControl(by), escapeControl(quoted(matched))];
}

/** Words can have spaces in them. */
function quoted(words: readonly string[]): string {
  return words.map((word) => `“${word}”`).join(" ");
}

/** What of a dispatch can be chosen where the route chooses the role and the skill. */
export type OrchestrateFlags = Omit<DispatchFlags, "role" | "skill" | "prompt" | "promptFile">;

/** Routes a request, then dispatches it. Prints the route on standard error, or as `route` with `--json`. */
export async function orchestrate(words: readonly string[], flags: OrchestrateFlags): Promise<void> {
  const prompt = words.join(" ");
  await withProject(flags, async (project) => {
    const { answer, skill } = routeToSkill(prompt, await openRouting(project));
    const requestId = flags.requestId ?? newRequestId(new Date());
    await recordRoute(prompt, answer, project, requestId);
    if (!skill) {
      throw new SkillError(
        "NOT_FOUND",
        `${answer.reason} Name a skill in .agents/routing.yaml, or install one.`,
      );
    }
    if (!flags.json) note(explainRoute(answer, flags).join("\n"));
    // The path, because a name can mean several skills.
    await dispatch(
      { ...flags, role: answer.role, skill: skill.path, prompt, requestId },
      { route: answer, project },
    );
  });
}
