import { Facts } from "../../parts/list/facts.tsx";
import { SplitBack } from "../../parts/list/split-parts.tsx";
import { CopyButton } from "../../parts/look/copy-button.tsx";
import { useQuery } from "../../parts/page/use-query.ts";
import { CodeBlock } from "../../parts/text/code-block.tsx";
import { shownJson } from "../../parts/text/shown-json.ts";
import { eventWords, type LoggedEvent, typeWord } from "./event-words.ts";

const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** One record with everything it says, and where to go from it. */
export function EventDetail({ event }: { readonly event: LoggedEvent }) {
  const { address } = useQuery();
  const { plan_id, task_id, run_id } = event;
  return (
    <article class="audit-detail" aria-label={`Record ${event.seq}`}>
      <SplitBack href={address("/audit", { seq: undefined })} words="Audit" />
      <h2>
        Record {event.seq}: {typeWord(event.event_type)}
      </h2>
      <p class="audit-said">{eventWords(event)}</p>
      <Facts
        of={{
          Time: <time dateTime={event.created_at}>{EXACT.format(new Date(event.created_at))}</time>,
          Type: <code>{event.event_type}</code>,
          Client: event.actor,
          Plan: plan_id && <a href={`/plans/${encodeURIComponent(plan_id)}`}>{plan_id}</a>,
          Task:
            task_id &&
            (plan_id ? (
              <a href={`/plans/${encodeURIComponent(plan_id)}?task=${encodeURIComponent(task_id)}`}>
                {task_id}
              </a>
            ) : (
              task_id
            )),
          Run: run_id && <a href={`/runs/${run_id}`}>Open the run</a>,
          Hash: (
            <>
              <code title={event.hash}>{event.hash.slice(0, 16)}</code>
              <CopyButton text={event.hash} name="Copy the hash" />
            </>
          ),
        }}
      />
      <h3>Content</h3>
      <CodeBlock
        text={shownJson(event.payload)}
        language="json"
        label={`Content of record ${event.seq}`}
        wrap
      />
    </article>
  );
}
