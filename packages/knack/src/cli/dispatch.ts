import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Catalog, Dispatched, DispatchRequest, Runner } from "@knack/core";
import { typedSkillNames } from "@knack/core/catalog";
import { systemCode, writeWhole } from "@knack/core/files";
import {
  allOf,
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
  refusalLine,
  routeToSkill,
  trustNotice,
} from "@knack/core/session";
import { KnackError, quote } from "@knack/core/text";
import { openHost } from "../host/host.ts";
import { openProject, type Project, withProject } from "../host/open-project.ts";
import { interruptible } from "../host/signals.ts";
import { conflict, type GlobalOptions, invalid, notFound } from "../options.ts";
import {
  note,
  noteOnce,
  paint,
  paintNote,
  passOn,
  printAnswer,
  printJson,
  printText,
} from "../terminal/output.ts";
import { type CellColumn, fieldLines, tableLines } from "../terminal/table.ts";
import { escapeControl } from "../terminal/visible.ts";
import type { CommandOptions } from "./table/table.ts";

const MAX_BYTES = 4 * 1024 * 1024;

/** A task from a file, a pipe or standard input (`-`): text, and no more of it than a model could read. */
async function readPromptFile(given: string, cwd: string): Promise<string> {
  const name = given === "-" ? "standard input" : given;
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of given === "-" ? process.stdin : createReadStream(resolve(cwd, given))) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MAX_BYTES) break;
    }
  } catch (error) {
    const code = systemCode(error);
    const missing = code === "ENOENT" || code === "ENOTDIR";
    const why = code === "EISDIR" ? "is a folder" : missing ? "does not exist" : `cannot be read (${code})`;
    throw new KnackError(missing ? "NOT_FOUND" : "INVALID_PARAM", `--prompt-file: ${name} ${why}.`);
  }
  if (length > MAX_BYTES) throw invalid(`--prompt-file: ${name} has more than ${MAX_BYTES} bytes.`);
  const bytes = Buffer.concat(chunks);
  try {
    if (!bytes.includes(0)) return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw invalid(`--prompt-file: ${name} is not UTF-8 text.`);
}

type DispatchFlags = CommandOptions<"dispatch">;

/** The flags as the dispatcher takes them. Throws `KnackError` with the flag that is wrong. */
async function readRequest(flags: DispatchFlags): Promise<DispatchRequest> {
  const { skill, prompt, promptFile, requestId, cwd = "." } = flags;
  const role = ROLES.find((known) => known === flags.role);
  if (!role) throw invalid(`--role must be one of ${ROLES.join(", ")}, not ${quote(flags.role)}.`);
  if (requestId?.trim() === "") throw invalid("--request-id is empty.");
  if (prompt !== undefined && promptFile !== undefined)
    throw invalid("Give --prompt or --prompt-file, not both.");
  return {
    role,
    skill: { name: skill },
    prompt: promptFile === undefined ? prompt : await readPromptFile(promptFile, cwd),
    requestId: requestId ?? newRequestId(new Date()),
    mode: flags.executionMode,
    depth: flags.depth,
    parent: flags.parentSkill,
    edgeType: flags.edgeType,
    visited: flags.visitedSkills ?? [],
    stack: flags.skillStack ?? [],
    maxDepth: flags.maxDepth,
    allowReentry: flags.allowReentry,
  };
}

function tellFrame({ header, frame, files, tool }: Dispatched, flags: DispatchFlags, more: object): void {
  if (flags.json) printJson({ ...more, header, frame, files, ...(tool ? { tool } : {}) });
  else if (flags.outputFile !== undefined) note(`The frame is in ${escapeControl(flags.outputFile)}.`);
  else printText(frame);
}

function tellTree(tree: Dispatched, flags: DispatchFlags, more: object): void {
  const all = allOf(tree);
  for (const one of all) {
    const why = failureOf(one);
    if (why === undefined) continue;
    process.exitCode = 1;
    note(`${paintNote("red", "failed:")} ${escapeControl(`${one.header.identity.current_skill}: ${why}`)}`);
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
  const runner = await runnerOf(flags, project);
  // A person reads what they like; a runner gets an untrusted project's skills never.
  const host = await openHost(project, "cli", runner ? {} : { offersProject: true });
  try {
    const request = await readRequest(flags);
    const unread = new AbortController();
    const interrupted = interruptible();
    const outcome = await host.runtime
      .session()
      .dispatch(request, {
        actor: "person",
        signal: AbortSignal.any([interrupted, unread.signal]),
        runner,
        limits: flags.timeout === undefined ? {} : { runnerMs: flags.timeout },
        onFrame: writeFirstFrame(flags),
        onOutput: (stream, bytes) => {
          if (!passOn(stream === "stderr" || flags.json ? 2 : 1, bytes)) unread.abort();
        },
        onAnswer: ({ error, text }) => {
          if (!error && !flags.json) printText(text);
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
      process.exitCode = 1;
      if (flags.json) printJson({ error: outcome });
      else note(`${paintNote("red", "error:")} ${escapeControl(refusalLine(outcome))}`);
      return;
    }
    for (const refusal of outcome.refusals) note(`refused: ${escapeControl(refusalLine(refusal))}`);
    if (runner === undefined) tellFrame(outcome, flags, more);
    else tellTree(outcome, flags, more);
  } finally {
    await host.close();
  }
}

async function runnerOf(flags: DispatchFlags, project: Project): Promise<Runner | undefined> {
  const { config } = await project.config();
  const runner = findRunner({ name: flags.runner, command: flags.runnerCmd }, config.runners);
  return flags.dryRun ? undefined : runner;
}

/** The first frame is the one that was asked for; it is written before a runner could work for an hour in vain. */
function writeFirstFrame({ outputFile, cwd = "." }: DispatchFlags): (frame: string) => void {
  let isWritten = outputFile === undefined;
  return (frame) => {
    if (isWritten) return;
    isWritten = true;
    const file = resolve(cwd, outputFile ?? "");
    const code = writeWhole(file, frame);
    if (code !== undefined) throw conflict(`The frame cannot be written to ${file} (${code}).`);
  };
}

/** The routing as the command line has it: what is proposed is run, so an untrusted project has no say in it. */
async function openRouting(project: Project): Promise<{ catalog: Catalog; routing: Routing }> {
  const { trusted } = project.place;
  const catalog = await project.catalog({ withoutProject: !trusted });
  const routing = loadRouting(catalog, trusted, await namesOfTyped(catalog, trusted));
  for (const line of routing.notes) noteOnce(line);
  if (catalog.waitingForTrust > 0) noteOnce(trustNotice(catalog));
  return { catalog, routing };
}

export function namesOfTyped({ config }: Catalog, trusted: boolean): Promise<readonly string[]> {
  return typedSkillNames(trusted ? config.registry : []);
}

export async function route(words: readonly string[], options: GlobalOptions): Promise<void> {
  const request = words.join(" ");
  await withProject(options, async (project) => {
    const place = await openRouting(project);
    const { answer } = routeToSkill(request, place);
    recordRoute(request, answer, project);
    if (request.length > MAX_REQUEST)
      note(
        `note: rules look at the first ${MAX_REQUEST} characters of a request; this one has ${request.length}.`,
      );
    printAnswer(options, answer, explainRoute(answer, prioritiesOf(place.routing)));
  });
}

type Priorities = ReadonlyMap<string | null, number>;

/** By rule, where they are not all alike: then they say why one rule came before another. */
function prioritiesOf({ routes }: Routing): Priorities {
  const differ = routes.some(({ priority }) => priority !== 0);
  return new Map(differ ? routes.map(({ id, priority }) => [id, priority]) : []);
}

function recordRoute(
  request: string,
  { role, skill, source, rule, matched }: RouteAnswer,
  project: Project,
  requestId?: string,
): void {
  const id = requestId === undefined ? {} : { request_id: requestId };
  const data = { status: "routed", ...id, role, skill, source, rule };
  const words = { request, matched };
  project.record({ type: "DISPATCHED", actor: "person", data, words }, { by: "cli" });
}

/** For a person: who gets it, why, by which words, and what else was close. */
function explainRoute(
  { role, skill, reason, source, rule, matched, others }: RouteAnswer,
  priorities: Priorities = new Map(),
): string {
  const nameOf = (rule: string | null): string => {
    const priority = priorities.get(rule);
    return priority === undefined ? `rule ${rule}` : `rule ${rule} (priority ${priority})`;
  };
  const fields = [
    ["role", role],
    ["skill", skill ?? "none"],
    ["by", { rule: nameOf(rule), search: "the search", default: "the default" }[source]],
    ["because", reason],
    ...(matched.length > 0 ? [["matched", quoted(matched)]] : []),
  ];
  const columns: CellColumn<OtherRoute>[] = [
    { title: "ROLE", drop: 2, cell: (other) => other.role },
    { title: "SKILL", cell: (other) => other.skill },
    {
      title: "BY",
      drop: 1,
      cell: ({ rule, score }) => (rule === null ? `search ${score?.toFixed(2) ?? ""}` : nameOf(rule)),
    },
    { title: "MATCHED", flexible: true, cell: (other) => quoted(other.matched) },
  ];
  const close = tableLines(others, columns);
  const more = close.length > 0 ? ["", paint("bold", "also close"), ...close] : [];
  return [...fieldLines(fields), ...more].join("\n");
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `“${word}”`).join(" ");
}

/** Routes a request, then dispatches it. Prints the route on standard error, or as `route` with `--json`. */
export async function orchestrate(
  words: readonly string[],
  flags: CommandOptions<"orchestrate">,
): Promise<void> {
  const prompt = words.join(" ");
  await withProject(flags, async (project) => {
    const { answer, skill } = routeToSkill(prompt, await openRouting(project));
    const { role, reason } = answer;
    const requestId = flags.requestId ?? newRequestId(new Date());
    recordRoute(prompt, answer, project, requestId);
    if (!skill) throw notFound(`${reason} Name a skill in .agents/routing.yaml, or install one.`);
    if (!flags.json) note(explainRoute(answer));
    // The path, because a name can mean several skills.
    await dispatch({ ...flags, role, skill: skill.path, prompt, requestId }, { route: answer, project });
  });
}
