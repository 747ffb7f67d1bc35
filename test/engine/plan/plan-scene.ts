import { makeFolder } from "../../../packages/core/src/testing/files.ts";
import { listEvents } from "../../../packages/engine/src/audit/events.ts";
import { type Engine, type EngineOptions, openEngine } from "../../../packages/engine/src/open-engine.ts";
import type { PlanStatus, TaskReport } from "../../../packages/engine/src/plan/plan-report.ts";
import { testStoreUrl } from "../../../packages/engine/src/testing/store-url.ts";

/** A project with a plan, and an engine on it. */
export interface PlanScene extends AsyncDisposable {
  readonly engine: Engine;
  readonly folder: ReturnType<typeof makeFolder>;
  /** Replaces the plan and applies it. */
  apply(plan?: string): Promise<PlanStatus>;
  run(parallel?: number): Promise<PlanStatus>;
  /** `id: STATUS` or `id: BLOCKED WAITING_INPUT`, one per task. */
  standings(status: PlanStatus): string[];
  events(): Promise<string[]>;
}

/** The tasks of a plan, each a line of YAML in braces. */
export function planOf(...tasks: readonly string[]): string {
  return `version: 1\nplan: p\ntasks:\n${tasks.map((task) => `  - ${task}\n`).join("")}`;
}

export async function makePlanScene(
  plan: string,
  files: Parameters<typeof makeFolder>[0] = {},
  options: Partial<EngineOptions> = {},
): Promise<PlanScene> {
  const folder = makeFolder({ "plan.yaml": plan, ...files });
  const engine = await openEngine({
    projectRoot: folder.path,
    registry: [folder.at("skills/registry.yaml")],
    store: testStoreUrl(folder.path),
    home: folder.at("home"),
    env: {},
    ...options,
  });
  return {
    engine,
    folder,
    apply: async (text) => {
      if (text !== undefined) folder.write({ "plan.yaml": text });
      return (await engine.applyPlan("plan.yaml")).status;
    },
    run: (parallel = 4) => engine.runPlan("plan.yaml", { parallel }),
    standings: ({ tasks }) => tasks.map(standing),
    events: async () =>
      (await listEvents((await engine.store()).db, 10_000)).map(({ event_type }) => event_type),
    [Symbol.asyncDispose]: async () => {
      await engine.close();
      folder[Symbol.dispose]();
    },
  };
}

function standing({ id, status, blocked_reason }: TaskReport): string {
  return `${id}: ${status}${blocked_reason ? ` ${blocked_reason}` : ""}`;
}
