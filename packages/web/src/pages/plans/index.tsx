import { useRoute } from "preact-iso";
import { useResource } from "../../api/resource.ts";
import { Failed, Loading } from "../../parts/state/states.tsx";
import { PlanList } from "./plan-list.tsx";
import { PlanPage } from "./plan-page.tsx";
import "./plans.css";

export function Page() {
  const { id } = useRoute().params;
  return id === undefined ? <PlanList /> : <OnePlan key={id} id={id} />;
}

function OnePlan({ id }: { readonly id: string }) {
  const plan = useResource("/api/plans/{id}/view", { path: { id } }, { reloadOn: ["log", "runs"] });
  if (plan.data === undefined)
    return (
      <div class="page">
        {plan.error ? <Failed error={plan.error} onRetry={plan.reload} /> : <Loading rows={8} />}
      </div>
    );
  return <PlanPage plan={plan.data} error={plan.error} at={plan.at} reload={plan.reload} />;
}
