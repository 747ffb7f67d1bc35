import { type Data, type Envelope, ToolError } from "../access/envelope.ts";
import { giveText, type Permitted, permittedSkill } from "../access/give-skill.ts";
import { permit } from "../access/permit.ts";
import { checkReady, runsAs, type ToolContext, typedSkillsOf } from "../access/tool.ts";
import { isTypedTarget, typedTarget } from "../catalog/typed-skill-names.ts";
import { escapeWrapperTags } from "../context/blocks/escape.ts";
import { type Role, roleGuideFile } from "../context/guides/role-guide.ts";
import { LoadedSkills } from "../context/loaded-skills.ts";
import type { Edge, EdgeType } from "../graph/edge.ts";
import { edgesIn } from "../graph/load-graph.ts";
import { answerTo, KnackError } from "../shared/errors.ts";
import { quote } from "../shared/quote.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { answer, dispatchToTool, toolArguments } from "../tools/call-tool.ts";
import { type ContextFile, renderCall, renderFrame } from "./frame.ts";
import { checkDispatch, type DispatchCaller, depthBelow, isRefusal, type Refusal, refuse } from "./guards.ts";
import { freezeHeader, type RuntimeHeader } from "./header.ts";
import { type Runner, type RunnerResult, runFrame } from "./runner/runner.ts";

export interface Dispatch {
  readonly caller: DispatchCaller;
  readonly target: SkillMetadata;
  readonly edge: EdgeType;
  readonly role: Role;
  readonly task: string;
  /** Tools that the skills on the way here allow; `null` where none says. */
  readonly allowedTools: readonly string[] | null;
}

/** A skill that was dispatched, with those that it required. */
export interface Dispatched {
  readonly header: RuntimeHeader;
  readonly frame: string;
  /** The context files, in the order of the frame. */
  readonly files: readonly string[];
  /** `null` where there was no runner, and for a skill that calls a tool. */
  readonly runner: RunnerResult | null;
  /** Of a skill that calls a tool instead of being read: `tool_dispatch`, or a typed skill. */
  readonly tool?: ToolCall;
  readonly children: readonly Dispatched[];
  /** Of this skill and of all below it. */
  readonly refusals: readonly Refusal[];
}

interface ToolCall {
  readonly name: string;
  readonly arguments: Data;
  /** `null` where it was not called. */
  readonly result: Envelope | null;
}

/** The skills of a tree, each before those that it required. */
export function allOf(tree: Dispatched): Dispatched[] {
  return [tree, ...tree.children.flatMap(allOf)];
}

/** Why a skill's work failed, as the end of a sentence; `undefined` where it did not. */
export function failureOf({ runner, tool }: Pick<Dispatched, "runner" | "tool">): string | undefined {
  const error = tool?.result?.error;
  if (error) return `${error.code}: ${error.message}`;
  if (!runner) return undefined;
  const { exit_code, signal, timed_out } = runner;
  if (runner.error !== undefined) return runner.error;
  if (timed_out) return "it timed out";
  if (signal !== null) return `it was killed by ${signal}`;
  return exit_code === 0 ? undefined : `exit code ${exit_code}`;
}

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
  /** @internal Starts the runner. */
  readonly run?: typeof runFrame;
}

export interface DispatchLimits {
  readonly dispatches: number;
  readonly treeMs: number;
  readonly runnerMs: number;
}

export const DISPATCH_LIMITS: DispatchLimits = {
  dispatches: 256,
  treeMs: 4 * 3_600_000,
  runnerMs: 1_800_000,
};

const TOOL = "skill_dispatch";
/** Timers take no more. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const AFTER_BUDGET = "Continue without the skill, or start a new dispatch for it.";

/** One dispatch tree: the skills that it can reach, its budget, and what does the work. */
export class Dispatcher {
  readonly #workers: Workers;
  readonly #context: ToolContext;
  readonly #env: NodeJS.ProcessEnv;
  readonly #typedSkills: readonly string[];
  readonly #limits: DispatchLimits;
  readonly #skills: ReadonlyMap<string, SkillMetadata>;
  readonly #deadline: number;
  #left: number;
  #guide: ContextFile | undefined;

  constructor(workers: Workers, context: ToolContext, env: NodeJS.ProcessEnv, limits = DISPATCH_LIMITS) {
    this.#workers = workers;
    this.#context = context;
    this.#env = env;
    this.#typedSkills = typedSkillsOf(context.picture.now);
    this.#limits = limits;
    const { entries } = context.catalog;
    const all = [...entries.map(({ skill }) => skill), ...this.#typedSkills.map(typedTarget)];
    this.#skills = new Map(all.map((skill) => [skill.path, skill]));
    this.#left = limits.dispatches;
    // A runner may have a longer time limit than a tree has by default.
    this.#deadline = performance.now() + Math.max(limits.treeMs, limits.runnerMs);
  }

  skillAt(path: string): SkillMetadata | undefined {
    return this.#skills.get(path);
  }

  /** A text may also say who calls its skill; that makes nobody call it. */
  async edgesOf(skill: SkillMetadata): Promise<readonly Edge[]> {
    if (this.#workers.edgesOf) return this.#workers.edgesOf(skill);
    if (isTypedTarget(skill)) return [];
    const { edges } = await edgesIn(this.#context.catalog, skill, this.#typedSkills);
    return edges.filter(({ fromPath }) => fromPath === skill.path);
  }

  /**
   * Dispatches a skill and, if its runner or its tool ends well, those that it requires now, in the order of its text, each
   * with a frame of its own (document 000 §5). Answers the refusal where the skill itself may not be dispatched. Throws
   * `ToolError` where it may not be had.
   */
  async dispatch(wanted: Dispatch, isChild = false): Promise<Dispatched | Refusal> {
    const { caller, target, edge } = wanted;
    const refusal = checkDispatch(caller, target, edge) ?? this.#takeFromBudget(wanted);
    if (refusal) return refusal;
    const allowedTools = narrowed(wanted.allowedTools, target.allowedTools);
    const narrow = { ...wanted, allowedTools };
    const tool = this.#toolOf(target);
    const ready =
      tool === undefined
        ? await this.#prepareFrame(narrow, isChild)
        : await this.#prepareCall(narrow, isChild, tool);
    const { runner } = this.#workers;
    if (!runner) {
      await this.#record(ready, "framed");
      return ready;
    }
    // Those of the text that was given: what a runner writes into a skill meanwhile makes nothing run.
    const edges = await this.edgesOf(target);
    const done = await this.#work(ready, wanted, runner);
    if (failureOf(done) !== undefined) return done;

    const below = { ...narrow, caller: callerBelow(caller, ready.header, target) };
    const children: Dispatched[] = [];
    const refusals = [...done.refusals];
    for (const next of edges) {
      if (next.type !== "requires_now" || next.alternative) continue;
      const child = await this.#dispatchChild(next, below);
      if (isRefusal(child)) refusals.push(child);
      else {
        children.push(child);
        refusals.push(...child.refusals);
      }
    }
    return { ...done, children, refusals };
  }

  #takeFromBudget({ caller, target }: Dispatch): Refusal | undefined {
    const no = (message: string): Refusal =>
      refuse(caller, target.name, "E_BUDGET", `${message} ${AFTER_BUDGET}`);
    if (this.#left === 0)
      return no(`This dispatch tree has used all of its ${this.#limits.dispatches} dispatches.`);
    if (performance.now() >= this.#deadline) return no("This dispatch tree has used all of its time.");
    this.#left--;
    return undefined;
  }

  /** The tool that a skill calls instead of being read by a model. */
  #toolOf(skill: SkillMetadata): string | undefined {
    return skill.invocationMode === "tool_dispatch" ? skill.commandTool : runsAs(this.#context, skill);
  }

  /** A skill for a model: its text, with the role guide and, the first time, the root skill. */
  async #prepareFrame(wanted: Dispatch, isChild: boolean): Promise<Dispatched> {
    const { target, role, task, allowedTools } = wanted;
    const skill = await this.#load(target, isChild, this.#workers.runner !== undefined);
    const root = await this.#loadRoot(wanted);
    const header = headerFor(wanted, root === "target" || isFile(root));
    this.#guide ??= this.#readGuide(role);
    const files = [...(isFile(root) ? [root] : []), this.#guide, skill];
    const frame = renderFrame({ header, files, allowedTools, task });
    const paths = files.map(({ path }) => path);
    return {
      header,
      frame,
      files: paths,
      runner: null,
      children: [],
      refusals: isRefusal(root) ? [root] : [],
    };
  }

  /** A tree has one role. */
  #readGuide(role: Role): ContextFile {
    const { catalog, picture } = this.#context;
    const { path, text } = roleGuideFile(role, { root: catalog.projectRoot, trusted: picture.now.trusted });
    return { title: "Role guide", path, text: escapeWrapperTags(text) };
  }

  /** A skill that calls a tool: nobody reads anything, and what the skills on the way here do not allow is not called. */
  async #prepareCall(wanted: Dispatch, isChild: boolean, tool: string): Promise<Dispatched> {
    const { target, task, allowedTools } = wanted;
    // Whether the tool may run is asked when it is called.
    await this.#permit(target, isChild, false);
    if (allowedTools !== null && !allowedTools.includes(tool))
      throw new ToolError(
        "ACCESS_DENIED",
        `The skill ${quote(target.name)} calls ${tool}, which the allowed-tools of the skills that led here do not include. Dispatch it on its own, or add the tool there.`,
      );
    const header = headerFor(wanted, false);
    const call = { name: tool, arguments: toolArguments(this.#argumentsOf(tool, task)), result: null };
    const frame = renderCall(header, tool, call.arguments);
    return { header, frame, files: [], runner: null, tool: call, children: [], refusals: [] };
  }

  /**
   * Once, by the outermost request; a delegated skill gets its role and its own text alone (document 000 §1). Where the root
   * skill may not be had the request goes on without it, and says so.
   */
  async #loadRoot({ caller, target }: Dispatch): Promise<ContextFile | Refusal | "target" | undefined> {
    const [path, second] = caller.rootSkills;
    if (caller.rootLoaded || path === undefined) return undefined;
    if (caller.rootSkills.includes(target.path)) return "target";
    const root = this.skillAt(path);
    if (!root || second !== undefined)
      return refuse(
        caller,
        root?.name ?? path,
        "AMBIGUOUS",
        `Several skills have the name of the root skill; rename one, or set dispatch.root to a path. "knack list" shows them.`,
      );
    try {
      // Who may hand a skill to a runner may give it the root skill to read.
      return { ...(await this.#load(root, false, false)), title: "Root skill" };
    } catch (error) {
      return this.#refusalFor(error, caller, root.name);
    }
  }

  async #load(skill: SkillMetadata, isChild: boolean, executes: boolean): Promise<ContextFile> {
    const permitted = await this.#permit(skill, isChild, executes);
    // It goes to the runner: this conversation has not read it.
    const whole = { always: true, loaded: new LoadedSkills(), maxTextBytes: Number.POSITIVE_INFINITY };
    const wanted = { args: "", call: { tool: TOOL, params: {} } };
    const { text } = await giveText(permitted, wanted, { ...this.#context, ...whole });
    return { title: "Skill", path: skill.path, text: text?.block ?? "" };
  }

  async #permit(skill: SkillMetadata, isChild: boolean, executes: boolean): Promise<Permitted> {
    const context = this.#context;
    if (isChild && skill.disableModelInvocation)
      throw new ToolError(
        "ACCESS_DENIED",
        `Only people can call the skill ${quote(skill.name)} (disable-model-invocation), so no other skill can start it. Ask the user to call it, or continue without it.`,
      );
    const tool = this.#toolOf(skill);
    if (tool !== undefined) await checkReady(context, tool);
    if (!isTypedTarget(skill)) return permittedSkill(TOOL, { path: skill.path }, context, executes);
    await permit(context, { tool: TOOL, skill });
    return { skill, catalog: context.catalog };
  }

  /**
   * A task as the arguments of a tool. A typed skill takes a JSON object; prose is meant for a model, so it is called
   * with no arguments. Text that starts like an object but is not valid JSON is passed on, and the tool reports the error.
   */
  #argumentsOf(tool: string, task: string): string {
    const isTyped = this.#typedSkills.includes(tool);
    return isTyped && !task.trimStart().startsWith("{") ? "{}" : task;
  }

  /** What was begun is recorded as ended or broken off, whatever happens. */
  async #work(ready: Dispatched, { target, task }: Dispatch, runner: Runner): Promise<Dispatched> {
    const { header, frame, tool } = ready;
    await this.#record(ready, "started");
    const now = performance.now();
    const limitMs = Math.max(1, Math.min(this.#limits.runnerMs, this.#deadline - now));
    let done: Dispatched;
    try {
      if (tool) {
        const result = await this.#call(target, this.#argumentsOf(tool.name, task), header, limitMs);
        done = { ...ready, tool: { ...tool, result } };
      } else {
        const { catalog, signal } = this.#context;
        const { onOutput, run = runFrame } = this.#workers;
        const ended = await run(runner, frame, {
          cwd: catalog.cwd,
          env: this.#env,
          timeoutMs: limitMs,
          signal,
          onOutput: (stream, bytes) => onOutput?.(stream, bytes, header),
        });
        done = { ...ready, runner: ended };
      }
    } catch (error) {
      await this.#record(ready, "interrupted");
      throw error;
    }
    await this.#record(done, "ended");
    return done;
  }

  async #call(skill: SkillMetadata, args: string, header: RuntimeHeader, limitMs: number): Promise<Envelope> {
    const { catalog, signal } = this.#context;
    signal?.throwIfAborted();
    const limit = AbortSignal.timeout(Math.min(Math.ceil(limitMs), MAX_TIMER_MS));
    const ended = signal ? AbortSignal.any([signal, limit]) : limit;
    const called = { ...skill, commandTool: this.#toolOf(skill) };
    const result = await answer(toolArguments(args), catalog, () =>
      dispatchToTool(called, args, { ...this.#context, signal: ended }),
    );
    signal?.throwIfAborted();
    this.#workers.onAnswer?.(result, header);
    return result;
  }

  /** A child that may not be had is refused, and its sisters are not. */
  async #dispatchChild(edge: Edge, wanted: Dispatch): Promise<Dispatched | Refusal> {
    const target = edge.toPath === null ? undefined : this.skillAt(edge.toPath);
    if (!target)
      return refuse(
        wanted.caller,
        edge.to,
        "NOT_FOUND",
        `The skill ${quote(edge.to)} does not exist, or several skills have this name; "knack list" shows all skills.`,
      );
    try {
      // The skill before it may have worked for hours.
      await this.#context.picture.renew();
      return await this.dispatch({ ...wanted, target, edge: edge.type }, true);
    } catch (error) {
      return this.#refusalFor(error, wanted.caller, edge.to);
    }
  }

  #refusalFor(error: unknown, caller: DispatchCaller, name: string): Refusal {
    // Not having had an answer is no refusal of this skill alone.
    this.#context.signal?.throwIfAborted();
    if (error instanceof KnackError) return refuse(caller, name, answerTo(error).tool, error.message);
    throw error;
  }

  async #record(one: Dispatched, status: "framed" | "started" | "interrupted" | "ended"): Promise<void> {
    const { header, frame, tool } = one;
    const { runner, onFrame } = this.#workers;
    if (status === "framed" || status === "started") onFrame?.(frame, header);
    const { identity, trace, execution_mode } = header;
    await this.#context.observe("DISPATCHED", {
      status,
      execution_mode,
      ...identity,
      request_id: trace.request_id,
      depth: trace.depth,
      skill_stack: trace.skill_stack,
      ...(tool ? { tool: tool.name } : runner ? { runner: runner.name } : {}),
      ...(status === "ended" ? endOf(one) : {}),
    });
  }
}

/** How it ended; what a tool answered is for its own records. */
function endOf({ runner, tool }: Dispatched): object {
  const { status, error } = tool?.result ?? {};
  return { ...runner, ...(status ? { result: status } : {}), ...(error ? { error: error.code } : {}) };
}

/** Along the way from skill to skill tools are only taken away. */
export function narrowed(
  before: readonly string[] | null,
  own: readonly string[] | undefined,
): readonly string[] | null {
  if (own === undefined) return before;
  return before === null ? own : before.filter((tool) => own.includes(tool));
}

function isFile(root: object | string | undefined): root is ContextFile {
  return typeof root === "object" && "text" in root;
}

function headerFor({ caller, target, role }: Dispatch, hasRoot: boolean): RuntimeHeader {
  const { requestId, visitedNames, stack, policy } = caller;
  const isOutermost = caller.depth === null;
  return freezeHeader({
    execution_mode: isOutermost ? "root" : "delegated",
    identity: {
      role,
      current_skill: target.name,
      origin_skill: caller.skill,
      root_loaded: !isOutermost || hasRoot,
    },
    policy,
    trace: {
      request_id: requestId,
      depth: depthBelow(caller),
      skill_stack: [...stack, target.name],
      visited_skills: visitedNames.filter((name) => name !== target.name),
    },
  });
}

function callerBelow(
  caller: DispatchCaller,
  { trace }: RuntimeHeader,
  { name, path }: SkillMetadata,
): DispatchCaller {
  return {
    ...caller,
    skill: name,
    depth: trace.depth,
    stack: trace.skill_stack,
    visitedNames: [...trace.visited_skills, name],
    visited: new Set([...caller.visited, path]),
    rootLoaded: true,
  };
}
