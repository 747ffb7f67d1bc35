import { useLayoutEffect, useRef } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso";
import { post } from "../../api/client.ts";
import { useResource } from "../../api/data.ts";
import { ActionButton } from "../../parts/action.tsx";
import { Badge, Button, Command, count, plural, Time } from "../../parts/look.tsx";
import { PageHead, Section } from "../../parts/page.tsx";
import { Plot } from "../../parts/plot.tsx";
import { useShortcuts } from "../../parts/shortcuts.ts";
import { Empty, Loaded } from "../../parts/states.tsx";
import { EntryRow, EntrySection, type Queue, type QueueState, type Worker } from "./entry.tsx";
import "./queue.css";

/** What is queued and the workers' signs of life have no events. */
const POLL_MS = 2_000;

export function Page() {
  const queue = useResource("/api/queue", {}, { reloadOn: ["log", "runs"], everyMs: POLL_MS });
  const hasNone = queue.data === undefined && queue.error?.code === "INVALID_PARAM";
  return (
    <div class="page page-queue">
      <PageHead title="Queue" />
      {hasNone ? (
        <NoQueue />
      ) : (
        <Loaded of={queue} rows={8}>
          {(data, reload) => <QueueView queue={data} reload={reload} />}
        </Loaded>
      )}
    </div>
  );
}

function QueueView({ queue, reload }: { queue: Queue; reload: () => void }) {
  const { waiting, running, failed, dead, ended, counts, workers, throughput } = queue;
  const chosen = useRoute().params.id ?? null;
  const all = [...dead, ...running, ...failed, ...waiting, ...ended];
  const changed = useRef<string | null>(null);
  useRowKeys();
  // A run that was sent again or cancelled goes to another section, and the focus with it.
  useLayoutEffect(() => {
    if (changed.current === null || document.activeElement !== document.body) return;
    const row = document.querySelector<HTMLElement>(`[data-queued="${CSS.escape(changed.current)}"]`);
    row?.focus();
    if (row) changed.current = null;
  }, [queue]);
  const onDone = (id: string): void => {
    changed.current = id;
    reload();
  };
  const shared = { queue: { workers, chosen, onDone } };
  if (all.length === 0 && workers.length === 0 && chosen === null)
    return (
      <Empty
        icon="queue"
        title="Nothing is queued, and no worker is running. Start a worker, then queue a run."
      >
        <Command text="knack worker" />
        <Command text="knack run file_fingerprint README.md --queue" />
      </Empty>
    );
  return (
    <div class="with-aside">
      <div class="stack">
        {chosen !== null && !all.some(({ id }) => id === chosen) && (
          <LinkedEntry key={chosen} id={chosen} {...shared} />
        )}
        {all.length === 0 && chosen === null && (
          <Empty icon="queue" title="Nothing is queued. Queue a run from any machine of the team.">
            <Command text="knack run file_fingerprint README.md --queue" />
          </Empty>
        )}
        <EntrySection
          {...shared}
          title="Dead letters"
          entries={dead}
          total={counts.dead}
          action={
            <ActionButton
              words="Send all again"
              small
              icon="refresh"
              needs="runner"
              run={() => post("/api/queue/retry", {})}
              done={({ retried }) => `${plural(retried, "run")} sent again.`}
              onDone={reload}
            />
          }
        />
        <EntrySection {...shared} title="Running" entries={running} total={counts.running} />
        <EntrySection {...shared} title="Tried again soon" entries={failed} total={counts.failed} />
        <EntrySection {...shared} title="Waiting" entries={waiting} total={counts.waiting} />
        <EntrySection {...shared} title="Ended last" entries={ended} />
      </div>
      <div class="stack">
        <Throughput throughput={throughput} />
        <Workers workers={workers} />
      </div>
    </div>
  );
}

/** The run of a link that is in none of the lists, because it ended long ago or many others wait. */
function LinkedEntry({ id, queue }: { id: string; queue: QueueState }) {
  const { route } = useLocation();
  return (
    <Section
      title="This run"
      aside={<Button words="Close" small look="quiet" icon="cross" onClick={() => route("/queue")} />}
    >
      <Loaded of={useResource("/api/queue/{id}", { path: { id } }, { reloadOn: ["log", "runs"] })} rows={3}>
        {(data) => (
          <ul class="box" aria-label="This run">
            <EntryRow entry={data} queue={queue} />
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

const CONFIG = "store: { url: postgres://knack@db.example.com/knack }";

/** The store is SQLite: what a queue is for, and how to get one. */
function NoQueue() {
  return (
    <div class="no-queue stack">
      <h2>One person's store has no queue</h2>
      <p class="prose">
        This project keeps its runs in a SQLite file, and each run happens where it is asked for. A team keeps
        them in PostgreSQL: then any machine can queue a run, and workers on other machines take it.
      </p>
      <ol class="prose">
        <li>
          Set the store in <code>~/.knack/config.yaml</code> on each machine: <Command text={CONFIG} />
        </li>
        <li>
          Start a worker where the runs should happen: <Command text="knack worker" />
        </li>
        <li>
          Queue a run: <Command text="knack run file_fingerprint README.md --queue" />
        </li>
      </ol>
    </div>
  );
}

function Throughput({ throughput }: { throughput: Queue["throughput"] }) {
  const sum = throughput.reduce((all, { ended }) => all + ended, 0);
  return (
    <Section title="Ended in the last hour" number={sum}>
      {sum === 0 ? (
        <p class="small quiet">No run ended in the last hour.</p>
      ) : (
        <div class="box box-item">
          <Plot
            label="Runs that ended, per minute"
            unit="minute"
            times={throughput.map(({ at }) => at)}
            series={[{ name: "Ended", color: "--accent", values: throughput.map(({ ended }) => ended) }]}
            height={120}
            isNamed
          />
        </div>
      )}
    </Section>
  );
}

function Workers({ workers }: { workers: readonly Worker[] }) {
  return (
    <Section title="Workers" number={workers.filter(({ gone }) => !gone).length}>
      {workers.length === 0 ? (
        <p class="small">
          No worker is running. Start one on any machine that has the project: <Command text="knack worker" />
        </p>
      ) : (
        <ul class="box" aria-label="Workers">
          {workers.map((worker) => (
            <WorkerItem key={worker.id} worker={worker} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function WorkerItem({ worker }: { worker: Worker }) {
  const { host, pid, running, concurrency, tags, skills, started_at, seen_at, gone } = worker;
  return (
    <li class="box-item">
      <div class="row wrap">
        <b class="clip" title={worker.id}>
          {host}
        </b>
        <span class="quiet small fill">process {pid}</span>
        {gone ? (
          <Badge
            means="failed"
            icon="alert"
            title="It was not seen for longer than its lease."
            words="Gone"
          />
        ) : (
          <Badge means="done" words="Working" />
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
        <p class="small row wrap">
          <span class="quiet">Tags</span>
          {tags.map((tag) => (
            <Badge key={tag} means="plain" words={tag} />
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

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>("[data-queued]")];
const placeOf = (all: readonly HTMLElement[]): number =>
  all.findIndex((row) => row.closest("li")?.contains(document.activeElement));

function step(by: 1 | -1): void {
  const all = rows();
  const place = placeOf(all);
  const next = place < 0 ? 0 : Math.min(Math.max(place + by, 0), all.length - 1);
  all[next]?.focus();
}

function press(action: "retry" | "cancel"): void {
  const all = rows();
  const row = all[placeOf(all)]?.closest("li");
  row?.querySelector<HTMLButtonElement>(`[data-act="${action}"]`)?.click();
}

/** The rows by keyboard, in all sections; Enter opens, because a row is a link. */
function useRowKeys(): void {
  useShortcuts("Queue", [
    { keys: "j", words: "Next run", run: () => step(1) },
    { keys: "k", words: "Previous run", run: () => step(-1) },
    { keys: "s", words: "Send the run in focus again", run: () => press("retry") },
    { keys: "x", words: "Cancel the run in focus", run: () => press("cancel") },
  ]);
}
