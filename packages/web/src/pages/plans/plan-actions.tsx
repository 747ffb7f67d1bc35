import { useState } from "preact/hooks";
import { post, request, urlOf } from "../../api/client.ts";
import { toast } from "../../parts/float/toast.tsx";
import { SelectFilter } from "../../parts/list/filters.tsx";
import { Button } from "../../parts/look/button.tsx";
import { useShortcuts } from "../../parts/page/shortcuts.ts";
import type { Plan } from "./task-state.tsx";

const AT_ONCE = [1, 2, 4, 8, 16].map((number) => ({ value: String(number), words: `${number} at once` }));

/** Run or stop the plan, read its file again, copy its drawing. */
export function PlanActions({ plan, reload }: { readonly plan: Plan; readonly reload: () => void }) {
  const [parallel, setParallel] = useState("4");
  const [isBusy, setBusy] = useState(false);
  const id = plan.plan;
  const act = (work: () => Promise<string>) => async (): Promise<void> => {
    setBusy(true);
    try {
      toast(await work());
      reload();
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error), { isFailure: true });
    } finally {
      setBusy(false);
    }
  };
  const run = act(async () => {
    await post("/api/plans/{id}/run", { parallel: Number(parallel) }, { path: { id } });
    return "The plan is running.";
  });
  const stop = act(async () => {
    const { stopped } = await post("/api/plans/{id}/stop", {}, { path: { id } });
    return stopped ? "The plan was stopped." : "The plan was not running.";
  });
  const apply = act(async () => {
    const { changed } = await post("/api/plans", { file: plan.file });
    return changed ? "The changed plan was applied." : "The plan is unchanged.";
  });
  const copy = act(async () => {
    const url = urlOf("/api/plans/{id}/drawing", { path: { id }, query: { format: "mermaid" } });
    await navigator.clipboard.writeText(await (await request(url)).text());
    return "The graph was copied as Mermaid.";
  });
  useShortcuts("Plan", [
    {
      keys: "x",
      words: plan.run.running ? "Stop" : "Run",
      run: () => void (plan.run.running ? stop() : run()),
    },
  ]);
  return (
    <div class="plan-actions">
      <Button look="quiet" icon="copy" onClick={() => void copy()}>
        Copy as Mermaid
      </Button>
      <Button icon="refresh" needs="runner" disabled={isBusy} onClick={() => void apply()}>
        Apply again
      </Button>
      <SelectFilter
        isOn={false}
        label="Tasks at once"
        value={parallel}
        options={AT_ONCE}
        onChange={setParallel}
      />
      {plan.run.running ? (
        <Button icon="cross" look="danger" needs="runner" disabled={isBusy} onClick={() => void stop()}>
          Stop
        </Button>
      ) : (
        <Button icon="play" look="main" needs="runner" disabled={isBusy} onClick={() => void run()}>
          Run
        </Button>
      )}
    </div>
  );
}
