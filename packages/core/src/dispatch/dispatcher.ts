import { giveText, type Permitted, permittedSkill } from "../access/give-skill.ts";
import { permit } from "../access/permit.ts";
import {
  checkReady,
  type Data,
  type Envelope,
  runsAs,
  type ToolContext,
  typedSkillsOf,
} from "../access/tool.ts";
import { isTypedTarget, typedTarget } from "../catalog/typed-skill-names.ts";
import { escapeWrapperTags } from "../context/blocks/escape.ts";
import { type Role, roleGuide } from "../context/guides/role-guide.ts";
import { callsTool } from "../context/load-skill.ts";
import { LoadedSkills } from "../context/loaded-skills.ts";
import type { Edge, EdgeType } from "../graph/edge.ts";
import { edgesIn } from "../graph/load-graph.ts";
import { answerTo, KnackError } from "../shared/errors.ts";
import { quote } from "../shared/quote.ts";
import type { SkillMetadata } from "../skill/schema.ts";
import { answer, dispatchToTool, toolArguments } from "../tools/call-tool.ts";
import { type ContextFile, renderCall, renderFrame } from "./frame.ts";
import { checkDispatch, depthBelow, isRefusal, type Refusal, refuse } from "./guards.ts";
import { freezeHeader, type RuntimeHeader } from "./header.ts";
import { type Runner, type RunnerResult, runFrame } from "./runner/runner.ts";
import { type DispatchCaller, FrameFile } from "./running-frames.ts";

export interface Dispatch {
  readonly caller: DispatchCaller;
  readonly target: SkillMetadata;
  readonly edge: EdgeType;
  readonly role: Role;
  readonly task: string;
  /** Tools that the skills on the way here allow; `null` where none says. */
  readonly allowedTools: readonly string[] | null;
  /** Another skill requires it, so skills for people alone are refused. */
  readonly isChild?: boolean;
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
  readonly tool?: {
    readonly name: string;
    readonly arguments: Data;
    /** `null` where it was not called. */
    readonly result: Envelope | null;
  };
  readonly children: readonly Dispatched[];
  /** Of this skill and of all below it. */
  readonly refusals: readonly Refusal[];
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

export interface DispatchOptions {
  /** Without one the frame is made and nothing runs, no tool either. */
  readonly runner?: Runner | undefined;
  /** Called before anything is started; a throw stops the dispatch. */
  readonly onFrame?: ((frame: string, header: RuntimeHeader) => void) | undefined;
  /** Called with output as it comes; a throw ends the runner. */
  readonly onOutput?:
    | ((stream: "stdout" | "stderr", bytes: Buffer, header: RuntimeHeader) => void)
    | undefined;
  /** Gets what a tool answered, when it has. */
  readonly onAnswer?: ((answer: Envelope, header: RuntimeHeader) => void) | undefined;
  readonly limits?: Partial<typeof DISPATCH_LIMITS> | undefined;
}

const DISPATCH_LIMITS = { dispatches: 256, treeMs: 4 * 3_600_000, runnerMs: 1_800_000 };

const TOOL = "skill_dispatch";
/** The longest that timers take. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface DispatchPlace {
  readonly env: NodeJS.ProcessEnv;
  /** Where the frames of running agents are kept. */
  readonly frames: string;
}

/** One dispatch tree: the skills that it can reach, its budget, and what does the work. */
export class Dispatcher {
  readonly #options: DispatchOptions;
  readonly #context: ToolContext;
  readonly #place: DispatchPlace;
  readonly #typedSkills: readonly string[];
  readonly #limits: typeof DISPATCH_LIMITS;
  readonly #deadline: number;
  #left: number;
  #guide: ContextFile | undefined;

  constructor(options: DispatchOptions, context: ToolContext, place: DispatchPlace) {
    this.#options = options;
    this.#context = context;
    this.#place = place;
    this.#typedSkills = typedSkillsOf(context.picture.now);
    const limits = { ...DISPATCH_LIMITS, ...options.limits };
    this.#limits = limits;
    this.#left = limits.dispatches;
    // A runner may have a longer time limit than a tree has by default.
    this.#deadline = performance.now() + Math.max(limits.treeMs, limits.runnerMs);
  }

  skillAt(path: string): SkillMetadata | undefined {
    if (!isTypedTarget({ path }))
      return this.#context.catalog.entries.find(({ skill }) => skill.path === path)?.skill;
    return this.#typedSkills.map(typedTarget).find((typed) => typed.path === path);
  }

  /** Without edges that a text states for other skills: those start nothing. */
  async edgesOf(skill: SkillMetadata): Promise<readonly Edge[]> {
    if (isTypedTarget(skill)) return [];
    const { edges } = await edgesIn(this.#context.catalog, skill, this.#typedSkills);
    return edges.filter(({ fromPath }) => fromPath === skill.path);
  }

  /**
   * Dispatches a skill and, if it ends well, those that it requires now, in the order of its text, each with its own frame.
   * Answers the refusal where a check fails; throws `KnackError` where the skill is not allowed.
   */
  async dispatch(wanted: Dispatch): Promise<Dispatched | Refusal> {
    const { caller, target } = wanted;
    const refusal = checkDispatch(caller, target, wanted.edge) ?? this.#takeFromBudget(wanted);
    if (refusal) return refusal;
    const narrow = { ...wanted, allowedTools: narrowed(wanted.allowedTools, target.allowedTools) };
    const tool = this.#toolOf(target);
    const ready =
      tool === undefined ? await this.#prepareFrame(narrow) : await this.#prepareCall(narrow, tool);
    if (!this.#options.runner) {
      await this.#record(ready, "framed");
      return ready;
    }
    // Read before the runner starts, which may write into skills.
    const edges = await this.edgesOf(target);
    const below = { ...narrow, caller: callerBelow(caller, ready.header, target), isChild: true };
    const done = await this.#work(ready, target, below.caller);
    if (failureOf(done) !== undefined) return done;

    const children: Dispatched[] = [];
    const refusals = [...done.refusals];
    for (const next of edges) {
      if (next.type !== "requires_now" || next.alternative) continue;
      const child = await this.#dispatchChild(next, below);
      if (!isRefusal(child)) children.push(child);
      refusals.push(...(isRefusal(child) ? [child] : child.refusals));
    }
    return { ...done, children, refusals };
  }

  #takeFromBudget({ caller, target }: Dispatch): Refusal | undefined {
    const isLate = performance.now() >= this.#deadline;
    if (this.#left > 0 && !isLate) {
      this.#left--;
      return undefined;
    }
    const used = this.#left === 0 ? `of its ${this.#limits.dispatches} dispatches` : "of its time";
    const message = `This dispatch tree has used all ${used}. Continue without the skill, or start a new dispatch for it.`;
    return refuse(caller, target.name, "E_BUDGET", message);
  }

  #toolOf(skill: SkillMetadata): string | undefined {
    return callsTool(skill) ? skill.commandTool : runsAs(this.#context, skill);
  }

  /** For a model: role guide, skill and, in the outermost request, the root skill. */
  async #prepareFrame(wanted: Dispatch): Promise<Dispatched> {
    const { target, role, isChild } = wanted;
    const skill = await this.#load(target, { isChild, executes: this.#options.runner !== undefined });
    const root = await this.#loadRoot(wanted);
    const header = headerFor(wanted, root.isLoaded);
    this.#guide ??= this.#readGuide(role);
    const files = [...root.files, this.#guide, skill];
    const frame = renderFrame(header, files, wanted);
    const paths = files.map(({ path }) => path);
    return { header, frame, files: paths, runner: null, children: [], refusals: root.refusals };
  }

  #readGuide(role: Role): ContextFile {
    const { catalog, picture } = this.#context;
    const { path, text } = roleGuide(role, catalog.projectRoot, picture.now.trusted);
    return { title: "Role guide", path, text: escapeWrapperTags(text) };
  }

  /** For a tool: nobody reads anything, and the skills on the way must allow the tool. */
  async #prepareCall(wanted: Dispatch, name: string): Promise<Dispatched> {
    const { target, task, allowedTools, isChild } = wanted;
    // Whether the tool may run is asked when it is called.
    await this.#permit(target, { isChild });
    if (allowedTools !== null && !allowedTools.includes(name))
      throw new KnackError(
        "ACCESS_DENIED",
        `The skill ${quote(target.name)} calls ${name}, which the allowed-tools of the skills that led here do not include. Dispatch it on its own, or add the tool there.`,
      );
    const header = headerFor(wanted, false);
    // Prose is meant for a model, so a typed skill is called without arguments.
    const isProse = !task.trimStart().startsWith("{");
    const args =
      isProse && this.#typedSkills.includes(name)
        ? {}
        : toolArguments(task, this.#context.picture.now.registry.get(name));
    const tool = { name, arguments: args, result: null };
    const frame = renderCall(header, name, args);
    return { header, frame, files: [], runner: null, tool, children: [], refusals: [] };
  }

  /** Only the outermost request gets the root skill. If that is refused, the request goes on without it and says so. */
  async #loadRoot({ caller, target }: Dispatch) {
    const none = { isLoaded: false, files: [], refusals: [] };
    const [path, second] = caller.rootSkills;
    if (caller.rootLoaded || path === undefined) return none;
    if (caller.rootSkills.includes(target.path)) return { ...none, isLoaded: true };
    const root = this.skillAt(path);
    if (!root || second !== undefined) {
      const message = `Several skills have the name of the root skill; rename one, or set dispatch.root to a path. "knack list" shows them.`;
      return { ...none, refusals: [refuse(caller, root?.name ?? path, "AMBIGUOUS", message)] };
    }
    try {
      // Whoever may hand a skill to a runner may add the root skill.
      const file = { ...(await this.#load(root)), title: "Root skill" };
      return { ...none, isLoaded: true, files: [file] };
    } catch (error) {
      return { ...none, refusals: [this.#refusalFor(error, caller, root.name)] };
    }
  }

  async #load(skill: SkillMetadata, use: Use = {}): Promise<ContextFile> {
    const permitted = await this.#permit(skill, use);
    // It goes to the runner: this conversation has not read it.
    const whole = { always: true, loaded: new LoadedSkills(), maxTextBytes: Number.POSITIVE_INFINITY };
    const wanted = { args: "", call: { tool: TOOL, params: {} } };
    const { text } = await giveText(permitted, wanted, { ...this.#context, ...whole });
    return { title: "Skill", path: skill.path, text: text?.block ?? "" };
  }

  async #permit(skill: SkillMetadata, { isChild, executes }: Use): Promise<Permitted> {
    const context = this.#context;
    if (isChild && skill.disableModelInvocation)
      throw new KnackError(
        "ACCESS_DENIED",
        `Only people can call the skill ${quote(skill.name)} (disable-model-invocation), so no other skill can start it. Ask the user to call it, or continue without it.`,
      );
    const tool = this.#toolOf(skill);
    if (tool !== undefined) await checkReady(context, tool);
    if (!isTypedTarget(skill)) return permittedSkill(TOOL, { path: skill.path }, context, { executes });
    await permit(context, { tool: TOOL, skill });
    return { skill, catalog: context.catalog };
  }

  /** What has started is recorded as ended or interrupted. */
  async #work(ready: Dispatched, target: SkillMetadata, agent: DispatchCaller): Promise<Dispatched> {
    await this.#record(ready, "started");
    const left = Math.ceil(this.#deadline - performance.now());
    const limitMs = Math.max(1, Math.min(this.#limits.runnerMs, left, MAX_TIMER_MS));
    let done: Dispatched;
    try {
      done = ready.tool
        ? { ...ready, tool: { ...ready.tool, result: await this.#call(ready, ready.tool, target, limitMs) } }
        : { ...ready, runner: await this.run(ready, agent, limitMs) };
    } catch (error) {
      await this.#record(ready, "interrupted");
      throw error;
    }
    await this.#record(done, "ended");
    return done;
  }

  /** What the agent dispatches continues from here, as `agent`. */
  protected async run(
    { frame, header }: Dispatched,
    agent: DispatchCaller,
    timeoutMs: number,
  ): Promise<RunnerResult> {
    const { runner, onOutput } = this.#options;
    const { catalog, signal } = this.#context;
    using kept = new FrameFile(this.#place.frames, agent);
    return await runFrame(runner as Runner, frame, {
      cwd: catalog.cwd,
      env: this.#place.env,
      timeoutMs,
      signal,
      mark: kept.mark,
      onStart: (pid) => kept.bindTo(pid),
      onOutput: (stream, bytes) => onOutput?.(stream, bytes, header),
    });
  }

  async #call(
    { header }: Dispatched,
    tool: NonNullable<Dispatched["tool"]>,
    skill: SkillMetadata,
    limitMs: number,
  ): Promise<Envelope> {
    const { catalog, signal } = this.#context;
    signal?.throwIfAborted();
    const limit = AbortSignal.timeout(limitMs);
    const ended = signal ? AbortSignal.any([signal, limit]) : limit;
    const result = await answer(tool.arguments, catalog, () =>
      dispatchToTool(skill, tool.arguments, { ...this.#context, signal: ended }, tool.name),
    );
    signal?.throwIfAborted();
    this.#options.onAnswer?.(result, header);
    return result;
  }

  /** A refused child does not stop the others. */
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
      // The skill before may have worked for hours.
      await this.#context.picture.renew();
      return await this.dispatch({ ...wanted, target, edge: edge.type });
    } catch (error) {
      return this.#refusalFor(error, wanted.caller, edge.to);
    }
  }

  #refusalFor(error: unknown, caller: DispatchCaller, name: string): Refusal {
    // A cancelled call is no refusal of this skill.
    this.#context.signal?.throwIfAborted();
    if (error instanceof KnackError) return refuse(caller, name, answerTo(error).tool, error.message);
    throw error;
  }

  async #record(one: Dispatched, status: "framed" | "started" | "interrupted" | "ended"): Promise<void> {
    const { header, frame, tool } = one;
    const { runner, onFrame } = this.#options;
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

interface Use {
  readonly isChild?: boolean | undefined;
  readonly executes?: boolean;
}

function endOf({ runner, tool }: Dispatched): object {
  const { status, error } = tool?.result ?? {};
  return { ...runner, ...(status ? { result: status } : {}), ...(error ? { error: error.code } : {}) };
}

/** From skill to skill, tools are only taken away. */
export function narrowed(
  before: readonly string[] | null,
  own: readonly string[] | undefined,
): readonly string[] | null {
  if (own === undefined) return before;
  return before === null ? own : before.filter((tool) => own.includes(tool));
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
    visited: [...new Set([...caller.visited, path])],
    rootLoaded: true,
  };
}
