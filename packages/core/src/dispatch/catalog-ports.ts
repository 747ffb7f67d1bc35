import { type Envelope, ToolError } from "../access/envelope.ts";
import { giveText, type Permitted, permittedSkill } from "../access/give-skill.ts";
import type { ToolContext } from "../access/tool.ts";
import { isTypedTarget, typedTarget } from "../catalog/typed-skill-names.ts";
import { escapeWrapperTags } from "../context/blocks/wrapper-tags.ts";
import { roleGuideFile } from "../context/guides/role-guide.ts";
import { LoadedSkills } from "../context/loaded-skills.ts";
import type { Edge } from "../graph/extract/edge.ts";
import { edgesIn } from "../graph/load-graph.ts";
import { quote } from "../shared/quote.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { answer } from "../tools/call-tool.ts";
import { toolArguments } from "../tools/dispatch-to-tool.ts";
import type { DispatchEvent, DispatchPorts, WantedAs } from "./dispatch-ports.ts";
import type { RuntimeHeader } from "./header.ts";
import type { SkillOutcome } from "./outcome.ts";
import { argumentsFor } from "./outcome.ts";
import { runFrame } from "./runner/run-frame.ts";
import type { Runner } from "./runner/runner.ts";

/** What does the work of a dispatch. */
export interface Workers {
  /** Without one the frame is made and nothing runs, no tool either. */
  readonly runner?: Runner | undefined;
  /** Where the edges of a skill come from. */
  readonly edgesOf?: ((skill: SkillMetadata) => Promise<readonly Edge[]>) | undefined;
  /** Gets each frame before anything is started with it. A throw is thrown on, and nothing is. */
  readonly onFrame?: ((frame: string, header: RuntimeHeader) => void) | undefined;
  /** Gets what runners print, as it comes, and whose it is. A throw ends the runner and is thrown on. */
  readonly onOutput?:
    | ((stream: "stdout" | "stderr", bytes: Buffer, header: RuntimeHeader) => void)
    | undefined;
  /** Gets what a tool answered, when it has. */
  readonly onAnswer?: ((answer: Envelope, header: RuntimeHeader) => void) | undefined;
}

export interface DispatchPlace {
  readonly env: NodeJS.ProcessEnv;
  readonly trusted: boolean;
}

const TOOL = "skill_dispatch";
/** Timers take no more. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A conversation and its skills as the dispatcher's world. */
export function catalogWorld(
  workers: Workers,
  context: ToolContext,
  { env, trusted }: DispatchPlace,
): DispatchPorts {
  const { catalog, signal, typedSkills } = context;
  const { runner, onFrame, onOutput, onAnswer } = workers;
  const skills = new Map(
    [...catalog.entries.map(({ skill }) => skill), ...typedSkills.map(typedTarget)].map((skill) => [
      skill.path,
      skill,
    ]),
  );
  const toolOf = (skill: SkillMetadata): string | undefined =>
    skill.invocationMode === "tool_dispatch" ? skill.commandTool : context.runsAs(skill);
  const permitted = async (skill: SkillMetadata, as: WantedAs, executes: boolean): Promise<Permitted> => {
    if (as === "child" && skill.disableModelInvocation)
      throw new ToolError(
        "ACCESS_DENIED",
        `Only people can call the skill ${quote(skill.name)} (disable-model-invocation), so no other skill can start it. Ask the user to call it, or continue without it.`,
      );
    const tool = toolOf(skill);
    if (tool !== undefined) await context.ready(tool);
    if (!isTypedTarget(skill)) return permittedSkill(TOOL, { path: skill.path }, context, executes);
    await context.permit({ tool: TOOL, skill });
    return { skill, catalog };
  };
  return {
    skillAt: (path) => skills.get(path),
    edgesOf: workers.edgesOf ?? ((skill) => ownEdges(context, skill)),
    toolOf,
    load: async (skill, as) => {
      // Who may hand a skill to a runner may give it the root skill to read.
      const found = await permitted(skill, as, runner !== undefined && as !== "root");
      // It goes to the runner: this conversation has not read it.
      const whole = { always: true, loaded: new LoadedSkills(), maxTextBytes: Number.POSITIVE_INFINITY };
      const call = { tool: TOOL, params: {} };
      const { text } = await giveText(found, { args: "", call }, { ...context, ...whole });
      return { title: "Skill", path: skill.path, text: text?.block ?? "" };
    },
    // Whether the tool may run is asked when it is called, as ever.
    permitCall: async (skill, as) => void (await permitted(skill, as, false)),
    argumentsOf: (skill, task) => argumentsFor(task, typedSkills.includes(toolOf(skill) ?? "")),
    roleGuide: (role) => {
      const guide = roleGuideFile(role, { root: catalog.projectRoot, trusted });
      return { title: "Role guide", path: guide.path, text: escapeWrapperTags(guide.text) };
    },
    work: runner
      ? {
          run: (frame, header, timeoutMs) =>
            runFrame(runner, frame, {
              cwd: catalog.cwd,
              env,
              timeoutMs,
              signal,
              onOutput: (stream, bytes) => onOutput?.(stream, bytes, header),
            }),
          call: async (skill, args, header, limitMs) => {
            signal?.throwIfAborted();
            const limit = AbortSignal.timeout(Math.min(Math.ceil(limitMs), MAX_TIMER_MS));
            const ended = signal ? AbortSignal.any([signal, limit]) : limit;
            const called = { ...skill, commandTool: toolOf(skill) };
            const result = await answer(toolArguments(args), catalog, () =>
              context.dispatch(called, args, ended),
            );
            signal?.throwIfAborted();
            onAnswer?.(result, header);
            return result;
          },
        }
      : null,
    record: async (event) => {
      if ("frame" in event) onFrame?.(event.frame, event.header);
      await context.observe("DISPATCHED", eventData(event, runner));
    },
    throwIfCancelled: () => signal?.throwIfAborted(),
    now: () => performance.now(),
  };
}

function eventData(event: DispatchEvent, runner: Runner | undefined): Readonly<Record<string, unknown>> {
  const { identity, trace, execution_mode } = event.header;
  const by = event.tool === null ? (runner ? { runner: runner.name } : {}) : { tool: event.tool };
  return {
    status: event.status,
    execution_mode,
    ...identity,
    request_id: trace.request_id,
    depth: trace.depth,
    skill_stack: trace.skill_stack,
    ...by,
    ...(event.status === "ended" ? endData(event.outcome) : {}),
  };
}

/** How it ended; what a tool answered is for its own records. */
function endData({ runner, tool }: SkillOutcome): object {
  const { status, error } = tool?.result ?? {};
  return { ...runner, ...(status ? { result: status } : {}), ...(error ? { error: error.code } : {}) };
}

/** A text may also say who calls its skill; that makes nobody call it. */
async function ownEdges(
  { catalog, typedSkills }: ToolContext,
  skill: SkillMetadata,
): Promise<readonly Edge[]> {
  if (isTypedTarget(skill)) return [];
  const { edges } = await edgesIn(catalog, skill, typedSkills);
  return edges.filter(({ fromPath }) => fromPath === skill.path);
}
