import { Badge } from "../../parts/look/badge.tsx";
import { Command } from "../../parts/look/copy-button.tsx";
import { count, plural, Time } from "../../parts/look/words.tsx";
import type { Worker } from "./entry-state.tsx";

/** Who takes runs from the queue. */
export function Workers({ workers }: { readonly workers: readonly Worker[] }) {
  return (
    <section class="queue-side" aria-labelledby="queue-workers">
      <h2 id="queue-workers">
        Workers <span class="quiet">{count(workers.filter(({ gone }) => !gone).length)}</span>
      </h2>
      {workers.length === 0 ? (
        <p class="small">
          No worker is running. Start one on any machine that has the project: <Command text="knack worker" />
        </p>
      ) : (
        <ul class="workers" aria-labelledby="queue-workers">
          {workers.map((worker) => (
            <WorkerItem key={worker.id} worker={worker} />
          ))}
        </ul>
      )}
    </section>
  );
}

function WorkerItem({ worker }: { readonly worker: Worker }) {
  const { host, pid, running, concurrency, tags, skills, started_at, seen_at, gone } = worker;
  return (
    <li class="worker">
      <div class="worker-head">
        <b class="clip" title={worker.id}>
          {host}
        </b>
        <span class="quiet small">process {pid}</span>
        {gone ? (
          <Badge means="failed" icon="alert" title="It was not seen for longer than its lease.">
            Gone
          </Badge>
        ) : (
          <Badge means="done">Working</Badge>
        )}
      </div>
      <p class="small">
        {count(running)} of {count(concurrency)} at once
        {gone && "; other workers take its runs over"}
      </p>
      <p class="small quiet">
        Last seen <Time at={seen_at} />, started <Time at={started_at} />
      </p>
      {tags.length > 0 && (
        <p class="small worker-tags">
          <span class="quiet">Tags</span>
          {tags.map((tag) => (
            <Badge key={tag} means="plain">
              {tag}
            </Badge>
          ))}
        </p>
      )}
      {skills.length === 0 ? (
        <p class="small">
          It takes no skill. Approve them there: <Command text="knack trust" />
        </p>
      ) : (
        <details>
          <summary class="small">Takes {plural(skills.length, "skill")}</summary>
          <p class="small worker-skills mono">{skills.join(", ")}</p>
        </details>
      )}
    </li>
  );
}
