import { useResource } from "../../api/resource.ts";
import { Command } from "../../parts/look/copy-button.tsx";
import { count, Time } from "../../parts/look/words.tsx";
import { PageHead } from "../../parts/page/title.tsx";
import { Empty, Loaded } from "../../parts/state/states.tsx";
import { ApplyForm } from "./apply-form.tsx";

/** The plans that were applied, and a field to apply another. */
export function PlanList() {
  const plans = useResource("/api/plans", {}, { reloadOn: ["log"] });
  return (
    <div class="page">
      <PageHead title="Plans">
        <ApplyForm />
      </PageHead>
      <Loaded of={plans}>
        {({ plans: all }) =>
          all.length === 0 ? (
            <Empty
              icon="plans"
              title="No plan was applied yet. A plan is a YAML file with tasks: apply one to see what it needs."
            >
              <Command text="knack plan apply plan.yaml" />
            </Empty>
          ) : (
            <ul class="plan-list" aria-label="Plans">
              {all.map(({ plan, title, tasks, done, updated_at }) => (
                <li key={plan}>
                  <a href={`/plans/${encodeURIComponent(plan)}`}>
                    <span class="plan-list-name">
                      <b>{title}</b>
                      <span class="quiet small mono">{plan}</span>
                    </span>
                    <span class="plan-list-state small">
                      <Progress done={done} tasks={tasks} />
                      {count(done)} of {count(tasks)} done
                    </span>
                    <span class="plan-list-when quiet small">
                      <Time at={updated_at} />
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  );
}

/** The words beside it say the same. */
export function Progress({ done, tasks }: { readonly done: number; readonly tasks: number }) {
  return (
    <span class="progress" aria-hidden="true">
      <span style={{ width: `${tasks === 0 ? 0 : (100 * done) / tasks}%` }} />
    </span>
  );
}
