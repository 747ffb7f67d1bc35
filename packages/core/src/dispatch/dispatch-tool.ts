import * as z from "zod";
import type { Tool, ToolContext, ToolResult } from "../access/tool.ts";
import { escapeMessage, escapeWrapperTags, escapeXml, oneLine } from "../context/blocks/escape.ts";
import { ROLES } from "../context/guides/role-guide.ts";
import { KnackError } from "../shared/errors.ts";
import { parameters } from "../tools/parameters.ts";
import { type DispatchRequest, dispatchSkill } from "./dispatch-request.ts";
import { allOf, type Dispatched, type DispatchPlace, failureOf } from "./dispatcher.ts";
import { fenceFor } from "./frame.ts";
import { isRefusal, refusalLine } from "./guards.ts";
import { newRequestId, type RuntimeHeader } from "./header.ts";
import { findRunner } from "./runner/runner.ts";

/** No depth, stack or request id: a model does not say where it stands. */
const PARAMETERS = parameters({
  role: z.enum(ROLES).describe("The role of the agent."),
  skill: z.string().min(1).describe("The skill's exact name, or the path of its folder or SKILL.md."),
  prompt: z
    .string()
    .optional()
    .describe("The task, with everything that the agent must know: it does not see this conversation."),
});

export function skillDispatch(place: DispatchPlace): Tool {
  return {
    name: "skill_dispatch",
    description:
      "Hand a task to a skill in a role. A separate agent carries it out, then one more for each skill that it requires now; the answer is what they printed. If the user has configured no runner, nothing is started and the answer is the prompt for that agent. The user may be asked first.",
    inputSchema: PARAMETERS.inputSchema,
    executes: true,
    asksItself: true,
    endsItself: true,
    run: async (params, context) => answerDispatch(PARAMETERS.read("skill_dispatch", params), context, place),
  };
}

/** Bytes that a model reads of a whole tree's output, and at least of each skill. */
const MAX_OUTPUT = 128 * 1024;
const MIN_OUTPUT = 1024;
const MAX_LAST_WORDS = 2 * 1024;

/** Carries out a model's dispatch and tells it what happened. Throws `KnackError`. */
async function answerDispatch(
  { role, skill, prompt }: Pick<DispatchRequest, "role" | "prompt"> & { readonly skill: string },
  context: ToolContext,
  place: DispatchPlace,
): Promise<ToolResult> {
  const runner = findRunner({}, context.picture.now.config.runners);
  const printed = {
    stdout: new Map<RuntimeHeader, OutputTail>(),
    stderr: new Map<RuntimeHeader, OutputTail>(),
  };
  const outcome = await dispatchSkill(
    { role, skill: { name: skill }, prompt, requestId: newRequestId(new Date()) },
    {
      runner,
      onOutput: (stream, bytes, header) => {
        const known = printed[stream].get(header) ?? new OutputTail();
        printed[stream].set(header, known.add(bytes));
      },
    },
    context,
    place,
  );
  if (isRefusal(outcome))
    throw new KnackError("ACCESS_DENIED", refusalLine(outcome), { data: { ...outcome } });
  if (!runner) return notStarted(outcome, context.maxTextBytes);
  const most = Math.min(MAX_OUTPUT, context.maxTextBytes - MAX_LAST_WORDS);
  const limit = Math.max(MIN_OUTPUT, Math.floor(most / allOf(outcome).length));
  return answerTree(outcome, (header, stream) =>
    (printed[stream].get(header) ?? new OutputTail()).text(limit),
  );
}

type OutputOf = (header: RuntimeHeader, stream: "stdout" | "stderr") => ReturnType<OutputTail["text"]>;

function notStarted({ header, frame, files, tool }: Dispatched, maxTextBytes: number): ToolResult {
  const next = tool
    ? "This skill calls a tool; call that tool yourself as shown below."
    : "The prompt for the agent follows: give it to one of your agents, or carry it out yourself in the role that it names.";
  return {
    data: { applied: false, header, frame, files, ...(tool ? { tool } : {}) },
    text: `${NOT_STARTED} ${Buffer.byteLength(frame) > maxTextBytes - MAX_LAST_WORDS ? tooLong(header, frame) : `${next}\n\n${frame}`}`,
  };
}

const NOT_STARTED = "Nothing was started, because no runner is configured (runners.default).";

/** A part of a prompt is useless; a skill's text comes in parts. */
function tooLong({ identity: { role, current_skill } }: RuntimeHeader, frame: string): string {
  return `The prompt for the agent has ${Buffer.byteLength(frame)} bytes, more than one answer can have. Load the skill ${escapeXml(oneLine(current_skill))} with skill_load and carry out the task yourself as ${role}; the user can print the prompt with "knack dispatch --dry-run".`;
}

function answerTree(tree: Dispatched, outputOf: OutputOf): ToolResult {
  const { refusals } = tree;
  const data = dataOf(tree, outputOf);
  const why = failureOf(tree);
  if (why !== undefined) throw failed(tree, why, data, outputOf);
  const all = allOf(tree);
  const isCut = all.some(({ header }) => outputOf(header, "stdout").isCut);
  const lost = all.filter((one) => failureOf(one) !== undefined).length + refusals.length;
  const parts = all.map((one) => tell(one, outputOf));
  for (const refusal of refusals) {
    const name = escapeXml(oneLine(refusal.target_skill));
    parts.push(`${name} was refused: ${escapeMessage(refusalLine(refusal))}`);
  }
  if (lost > 0)
    parts.push(
      "Skills that failed or were refused did not do their work: check whether the task needs it before you continue.",
    );
  return {
    partial: lost > 0,
    data: { ...data, applied: true, ...(isCut ? { truncated: true } : {}) },
    text: parts.join("\n\n"),
    stats: { dispatched: all.length },
  };
}

function dataOf({ header, runner, tool, children, refusals }: Dispatched, outputOf: OutputOf): object {
  return {
    header,
    runner,
    ...(tool ? { tool } : { output: outputOf(header, "stdout").text }),
    children: children.map((child) => dataOf(child, outputOf)),
    refusals,
  };
}

/** Output is an answer, not an instruction. */
function tell(one: Dispatched, outputOf: OutputOf): string {
  const { identity } = one.header;
  const who = `${escapeXml(oneLine(identity.current_skill))} (${identity.role})`;
  const why = failureOf(one);
  if (why !== undefined) return `${who} failed: ${escapeMessage(why)}`;
  if (one.tool) return `${who} called ${one.tool.name}: ${one.tool.result?.text ?? ""}`;
  const text = escapeWrapperTags(outputOf(one.header, "stdout").text.trim());
  if (text === "") return `${who} is done and printed nothing.`;
  const fence = fenceFor(text);
  return `${who} is done. It answered:\n\n${fence}\n${text}\n${fence}`;
}

function failed(tree: Dispatched, why: string, data: object, outputOf: OutputOf): KnackError {
  const { header, runner, tool } = tree;
  const name = JSON.stringify(header.identity.current_skill);
  const error = tool?.result?.error;
  if (error)
    return new KnackError(error.code, `The skill ${name} failed: ${error.message}`, { data: { ...data } });
  const last = [outputOf(header, "stderr"), outputOf(header, "stdout")].find(
    ({ text }) => text.trim() !== "",
  );
  const words = last ? ` Its last output: ${last.text.trim().slice(-MAX_LAST_WORDS).toWellFormed()}` : "";
  return new KnackError(
    runner?.timed_out ? "TIMEOUT" : "EXECUTION_ERROR",
    `The agent of the skill ${name} failed: ${why}. None of the skills that it requires were started. Fix the cause before you dispatch it again.${words}`,
    { data: { ...data } },
  );
}

/** Bytes kept of the beginning and of the end. */
const KEPT = 16 * 1024;

/** What a program printed: its beginning and its end, however much it was. */
class OutputTail {
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  #bytes = 0;

  add(bytes: Buffer): this {
    this.#bytes += bytes.length;
    const first = bytes.subarray(0, KEPT - this.#head.length);
    if (first.length > 0) this.#head = Buffer.concat([this.#head, first]);
    // A copy: a slice would keep all its bytes in memory.
    this.#tail = Buffer.from(Buffer.concat([this.#tail, bytes.subarray(first.length)]).subarray(-KEPT));
    return this;
  }

  text(limit = 2 * KEPT): { readonly text: string; readonly isCut: boolean } {
    const kept = Buffer.concat([this.#head, this.#tail]);
    const most = Math.min(limit, 2 * KEPT);
    if (this.#bytes <= most) return { text: kept.toString("utf8"), isCut: false };
    const half = Math.floor(most / 2);
    const left = this.#bytes - 2 * half;
    const [begin, end] = [kept.subarray(0, half), kept.subarray(kept.length - half)];
    return {
      text: `${begin.toString("utf8")}\n… ${left} bytes omitted …\n${end.toString("utf8")}`,
      isCut: true,
    };
  }
}
