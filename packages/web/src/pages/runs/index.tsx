import { useLocation, useRoute } from "preact-iso";
import { Split } from "../../parts/list/split.tsx";
import { SplitHead } from "../../parts/list/split-parts.tsx";
import { LinkButton } from "../../parts/look/button.tsx";
import { PageHead } from "../../parts/page/title.tsx";
import { useQuery } from "../../parts/page/use-query.ts";
import { Empty } from "../../parts/state/states.tsx";
import { ANY, RunForm } from "./form/run-form.tsx";
import { RunDetailView } from "./run-detail.tsx";
import { RunList } from "./run-list.tsx";
import { keyOf, type Run } from "./run-state.tsx";
import "./runs.css";

/** History on the left, one run or the form for a new one on the right. */
export function Page() {
  const { route } = useLocation();
  const { query, address } = useQuery();
  const id = useRoute().params.id ?? null;
  const isNew = id === null && query.new !== undefined;
  const chosen = id === null ? null : keyOf({ id, served: query.served ? servedAt(query.served) : null });
  const choose = (run: Run): void =>
    // The first one is a step that "back" undoes; going through the list is not.
    route(
      address(`/runs/${run.id}`, { served: run.served ? String(run.served.seq) : undefined, new: undefined }),
      id !== null,
    );
  return (
    <div class="page-full runs">
      <Split
        hasDetail={id !== null || isNew}
        list={
          <>
            <SplitHead>
              <PageHead title="Runs">
                <LinkButton
                  href={address("/runs", { new: query.skill || ANY, served: undefined, tab: undefined })}
                  icon="play"
                  look="main"
                >
                  Run a skill
                </LinkButton>
              </PageHead>
            </SplitHead>
            <RunList chosen={chosen} onChoose={choose} />
          </>
        }
        detail={
          id !== null ? (
            <RunDetailView key={id} id={id} served={query.served} />
          ) : isNew ? (
            <RunForm skill={query.new ?? ANY} from={query.from} task={query.task} />
          ) : (
            <Empty icon="runs" title="Choose a run to see its result, its log and why it ran." />
          )
        }
      />
    </div>
  );
}

const servedAt = (seq: string): Run["served"] => ({ seq: Number(seq), at: "", actor: "" });
