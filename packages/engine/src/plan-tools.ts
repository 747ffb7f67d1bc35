import type { JsonSchema, Tool, ToolCall } from "@knack/core";
import { escapeMessage, fewOf, KnackError, oneLine, quote } from "@knack/core/text";
import type { Engine } from "./open-engine.ts";
import {
  needsAttention,
  type PlanStatus,
  type TaskReport,
  taskNeeds,
  taskState,
} from "./plan/plan-report.ts";
import { keptSentence } from "./run/run-report.ts";
import { askPerson, type ToolCaller } from "./tool-caller.ts";

const PLAN = {
  type: "string",
  description: "The name of a plan, or the path of its file: plan.yaml.",
} as const;

/** How an agent works through a plan: the same operations as `knack plan status` and `knack plan run`. */
export function planTools(engine: Engine, caller: ToolCaller): Tool[] {
  const reachOf = ({ actor }: ToolCall) => ({ insideProjectOnly: actor === "model" || caller.isConfined() });
  // What a project says in its plans is read to a model only where somebody trusts it.
  const ready = async (): Promise<void> => {
    if (!engine.isTrusted)
      throw new KnackError(
        "ACCESS_DENIED",
        'The plans of this project cannot be used: it is not trusted. The user can run "knack trust".',
      );
  };

  const status: Tool = {
    name: "plan_status",
    description:
      "Where a plan stands: the state of each task, what it waits for, and the skill or command that gives it. Without a name: the plan of this project, or the list of its plans.",
    inputSchema: objectOf({ plan: PLAN }, []),
    idempotent: true,
    ready,
    run: async (params, context) => {
      const { plan } = readParams("plan_status", params, ["plan"]);
      const plans = plan === undefined ? await engine.plans() : [];
      const given = plan ?? (plans.length === 1 ? plans[0]?.plan : undefined);
      if (given === undefined) return { data: { plans }, text: plansText(plans) };
      const reach = reachOf(context);
      const { status } = await engine.applyPlan(await engine.planFile(given, reach), reach);
      return { data: { ...status }, text: statusText(status, context) };
    },
  };

  const run: Tool = {
    name: "plan_run",
    description:
      "Run the tasks of a plan that are READY, and those that become READY by it, or one task; the answer says what still waits. The user is asked as for the typed skills that the tasks run, and for the confirmation that a named task waits for.",
    inputSchema: objectOf({ plan: PLAN, task: { type: "string", description: "Only this task." } }, ["plan"]),
    executes: true,
    asksItself: true,
    endsItself: true,
    ready,
    run: async (params, context) => {
      const { plan, task: given } = readParams("plan_run", params, ["plan", "task"]);
      if (plan === undefined) throw wrong("plan_run", '"plan" is missing', ["plan", "task"]);
      await context.permit({ tool: "plan_run" });
      const reach = reachOf(context);
      const file = await engine.planFile(plan, reach);
      const task =
        given === undefined ? undefined : await namedTask(engine, file, given, context, reach, caller);
      const { signal, by, progress } = context;
      const status = await engine.runPlan(file, {
        ...reach,
        task,
        signal,
        actor: by,
        onProgress: (step) => progress(`${step.task}: ${step.status}`),
        onWait: progress,
        permit: (skill, given) =>
          context.permit({ tool: skill, executes: engine.isCode(skill), params: given }),
      });
      const failed = status.tasks.filter(
        (one) => needsAttention(one) && (task === undefined || one.id === task),
      );
      const text = statusText(status, context, failed);
      if (failed.length === 0) return { data: { ...status }, text };
      const isRefused = failed.every(({ error }) => error?.code === "ACCESS_DENIED");
      throw new KnackError(isRefused ? "ACCESS_DENIED" : "EXECUTION_ERROR", text, { data: { ...status } });
    },
  };
  return [status, run];
}

/** The id of a task, after the person behind the caller was asked for the confirmation that it waits for, if anybody can be. */
async function namedTask(
  engine: Engine,
  file: string,
  given: string,
  { authority: { confirm } }: ToolCall,
  reach: { readonly insideProjectOnly: boolean },
  caller: ToolCaller,
): Promise<string> {
  const { plan, status } = await engine.applyPlan(file, reach);
  const named = status.tasks.find(({ id }) => given === id || given === `${plan.id}/${id}`);
  if (!confirm || named?.blocked_reason !== "WAITING_APPROVAL") return named?.id ?? given;
  const task = `${plan.id}/${named.id}`;
  await engine.confirmTask(task, async (role, what) => {
    const reason = `The task ${task} needs the confirmation ${quote(role)} for: ${what}.`;
    const howTo = `they run "knack evidence add ${task} ${role} --confirm".`;
    return (await askPerson({ tool: "plan_run", role, reason }, confirm, caller, howTo)).by;
  });
  return named.id;
}

function plansText(plans: Awaited<ReturnType<Engine["plans"]>>): string {
  if (plans.length === 0)
    return 'No plan was applied in this project. If it has a file with a plan, call plan_status with its path: {"plan": "plan.yaml"}.';
  const lines = plans.map(({ plan, tasks, done }) => `- ${plan}: ${done} of ${tasks} tasks are DONE`);
  return `The plans of this project:\n${lines.join("\n")}\nCall plan_status with the name of one.`;
}

/** The tasks that `first` names, then those that wait with what gives them what they need, then those that are done. */
function statusText({ plan, tasks }: PlanStatus, { offers }: ToolCall, first: readonly TaskReport[] = []) {
  const done = tasks.filter(({ status }) => status === "DONE");
  const others = tasks.filter((task) => task.status !== "DONE" && !first.includes(task));
  const lines = [...first, ...others].flatMap((task) => [
    `- ${task.id}: ${[taskState(task), ...taskNeeds(task).map(quoted)].join("; ")}`,
    ...task.waits_for.map((wait) => `  ${wait.requirement}: ${givenBy(wait, `${plan}/${task.id}`, offers)}`),
    ...(task.status === "READY" && !task.error ? ["  plan_run runs it."] : []),
  ]);
  const kept = tasks.flatMap((task) => task.kept ?? []).map((edit) => quoted(keptSentence(edit)));
  const told = [
    `Plan ${plan}: ${done.length} of ${tasks.length} tasks are DONE.`,
    ...lines,
    ...(done.length > 0
      ? [`DONE: ${fewOf(done.map(({ id, cached }) => (cached ? `${id} (unchanged)` : id)))}.`]
      : []),
    ...kept,
  ];
  return told.join("\n");
}

/** A message may quote the files that it is about. */
const quoted = (text: string): string => escapeMessage(oneLine(text));

/** What a model, or the person whom it asks, can do. */
function givenBy(wait: TaskReport["waits_for"][number], task: string, offers: ToolCall["offers"]): string {
  const { kind, command } = wait;
  if (kind === "CONFIRMATION")
    return `a person confirms it: plan_run with this task asks them, or they run "${command}".`;
  if (kind === "FILE" || wait.skill === undefined) return `"${command}".`;
  if (command.startsWith("knack plan run")) return `plan_run runs ${wait.skill}, which gives it.`;
  return offers(wait.skill)
    ? `the tool ${wait.skill} gives it, called with "task": "${task}".`
    : `"${command}".`;
}

function objectOf(properties: JsonSchema, required: readonly string[]): JsonSchema {
  return { type: "object", properties, required, additionalProperties: false };
}

function readParams<Key extends string>(
  tool: string,
  given: Readonly<Record<string, unknown>>,
  known: readonly Key[],
): Partial<Record<Key, string>> {
  for (const [key, value] of Object.entries(given)) {
    if (!known.some((name) => name === key)) throw wrong(tool, `unknown parameter ${quote(key)}`, known);
    if (typeof value !== "string" || value === "") throw wrong(tool, `"${key}" must be text`, known);
  }
  return given as Partial<Record<Key, string>>;
}

function wrong(tool: string, problem: string, known: readonly string[]): KnackError {
  return new KnackError("INVALID_PARAM", `${tool}: ${problem}. Its parameters are ${known.join(", ")}.`);
}
