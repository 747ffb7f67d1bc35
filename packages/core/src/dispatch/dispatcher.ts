import type { Edge } from "../graph/extract/edge.ts";
import { answerTo, KnackError } from "../shared/errors.ts";
import { quote } from "../shared/quote.ts";
import { Budget } from "./budget.ts";
import { callerBelow } from "./caller.ts";
import type { DispatchPorts } from "./dispatch-ports.ts";
import { checkDispatch, isRefusal, type Refusal, refuse } from "./guards.ts";
import { failureOf } from "./outcome.ts";
import { type Dispatch, type Dispatched, prepareCall, prepareFrame } from "./prepare-dispatch.ts";

/**
 * Dispatches a skill and, if its runner or its tool ends well, those that it requires now, in the order of its text, each
 * with a frame of its own (document 000 §5). Answers the refusal where the skill itself may not be dispatched. Throws
 * `ToolError` where it may not be had.
 */
export function dispatch(wanted: Dispatch, world: DispatchPorts): Promise<Dispatched | Refusal> {
  return dispatchOne(wanted, world, new Budget(wanted.limits, world.now()), "target");
}

async function dispatchOne(
  wanted: Dispatch,
  world: DispatchPorts,
  budget: Budget,
  as: "target" | "child",
): Promise<Dispatched | Refusal> {
  const { caller, target, edge } = wanted;
  const refusal = checkDispatch(caller, target, edge);
  if (refusal) return refusal;
  const spent = budget.take(world.now());
  if (spent !== undefined) return refuse(caller, target.name, "E_BUDGET", spent);

  const allowedTools = narrowed(wanted.allowedTools, target.allowedTools);
  const tool = world.toolOf(target);
  const ready =
    tool === undefined
      ? await prepareFrame(wanted, allowedTools, world, as)
      : await prepareCall(wanted, allowedTools, world, as, tool);
  if (world.work === null) {
    const { header, frame } = ready;
    await world.record({ header, tool: tool ?? null, status: "framed", frame });
    return ready;
  }
  // Those of the text that was given: what a runner writes into a skill meanwhile makes nothing run.
  const edges = await world.edgesOf(target);
  const done = await work(ready, wanted, world.work, world, budget.runnerMs(world.now()));
  if (failureOf(done) !== undefined) return done;

  const below = { ...wanted, caller: callerBelow(caller, ready.header, target), allowedTools };
  const children: Dispatched[] = [];
  const refusals = [...done.refusals];
  for (const next of edges) {
    if (next.type !== "requires_now" || next.alternative) continue;
    const child = await dispatchChild(next, below, world, budget);
    if (isRefusal(child)) refusals.push(child);
    else {
      children.push(child);
      refusals.push(...child.refusals);
    }
  }
  return { ...done, children, refusals };
}

/** What was begun is recorded as ended or broken off, whatever happens. */
async function work(
  ready: Dispatched,
  { target, task }: Dispatch,
  worker: NonNullable<DispatchPorts["work"]>,
  world: DispatchPorts,
  limitMs: number,
): Promise<Dispatched> {
  const { header, frame, tool } = ready;
  const told = { header, tool: tool?.name ?? null };
  await world.record({ ...told, status: "started", frame });
  let done: Dispatched;
  try {
    if (tool) {
      const args = world.argumentsOf(target, task);
      const result = await worker.call(target, args, header, limitMs);
      done = { ...ready, tool: { ...tool, result } };
    } else done = { ...ready, runner: await worker.run(frame, header, limitMs) };
  } catch (error) {
    await world.record({ ...told, status: "interrupted" });
    throw error;
  }
  await world.record({ ...told, status: "ended", outcome: done });
  return done;
}

/** A child that may not be had is refused, and its sisters are not. */
async function dispatchChild(
  edge: Edge,
  wanted: Dispatch,
  world: DispatchPorts,
  budget: Budget,
): Promise<Dispatched | Refusal> {
  const target = edge.toPath === null ? undefined : world.skillAt(edge.toPath);
  const no = (code: string, message: string): Refusal => refuse(wanted.caller, edge.to, code, message);
  if (!target)
    return no(
      "NOT_FOUND",
      `The skill ${quote(edge.to)} does not exist, or several skills have this name; "knack list" shows all skills.`,
    );
  try {
    return await dispatchOne({ ...wanted, target, edge: edge.type }, world, budget, "child");
  } catch (error) {
    // Not having had an answer is no refusal of this one alone.
    world.throwIfCancelled();
    if (error instanceof KnackError) return no(answerTo(error).tool, error.message);
    throw error;
  }
}

/** Along the way from skill to skill tools are only taken away. */
export function narrowed(
  before: readonly string[] | null,
  own: readonly string[] | undefined,
): readonly string[] | null {
  if (own === undefined) return before;
  return before === null ? own : before.filter((tool) => own.includes(tool));
}
