import { useLayoutEffect, useRef } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso";
import { post } from "../../api/client.ts";
import { useResource } from "../../api/resource.ts";
import { Button } from "../../parts/look/button.tsx";
import { Command } from "../../parts/look/copy-button.tsx";
import { plural } from "../../parts/look/words.tsx";
import { PageHead } from "../../parts/page/title.tsx";
import { LiveView } from "../../parts/state/gone.tsx";
import { Empty, Loaded } from "../../parts/state/states.tsx";
import { act } from "./entry-actions.tsx";
import { EntrySection } from "./entry-section.tsx";
import type { Queue } from "./entry-state.tsx";
import { LinkedEntry } from "./linked-entry.tsx";
import { NoQueue } from "./no-queue.tsx";
import { Throughput } from "./throughput.tsx";
import { useRowKeys } from "./use-row-keys.ts";
import { Workers } from "./workers.tsx";
import "./queue.css";

/** What is queued and the workers' signs of life have no events. */
const POLL_MS = 2_000;

/** What waits for a worker and why, what runs where, what failed, and the workers. */
export function Page() {
  const queue = useResource("/api/queue", {}, { reloadOn: ["log", "runs"], everyMs: POLL_MS });
  const hasNone = queue.data === undefined && queue.error?.code === "INVALID_PARAM";
  return (
    <div class="page queue-page">
      <PageHead title="Queue" />
      {hasNone ? (
        <LiveView>
          <NoQueue />
        </LiveView>
      ) : (
        <Loaded of={queue} rows={8}>
          {(data) => <QueueView queue={data} reload={queue.reload} />}
        </Loaded>
      )}
    </div>
  );
}

function QueueView({ queue, reload }: { readonly queue: Queue; readonly reload: () => void }) {
  const { waiting, running, failed, dead, ended, counts, workers, throughput } = queue;
  const chosen = useRoute().params.id ?? null;
  const { route } = useLocation();
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
  const shared = {
    workers,
    chosen,
    onDone: (id: string) => {
      changed.current = id;
      reload();
    },
  };
  const retryAll = () =>
    act(async () => {
      const { retried } = await post("/api/queue/retry", {});
      return `${plural(retried, "run")} sent again.`;
    }, reload);
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
    <div class="queue-body">
      <div class="queue-main">
        {chosen !== null && !all.some(({ id }) => id === chosen) && (
          <LinkedEntry key={chosen} id={chosen} {...shared} onClose={() => route("/queue")} />
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
            <Button small icon="refresh" needs="runner" onClick={() => void retryAll()}>
              Send all again
            </Button>
          }
        />
        <EntrySection {...shared} title="Running" entries={running} total={counts.running} />
        <EntrySection {...shared} title="Tried again soon" entries={failed} total={counts.failed} />
        <EntrySection {...shared} title="Waiting" entries={waiting} total={counts.waiting} />
        <EntrySection {...shared} title="Ended last" entries={ended} />
      </div>
      <div class="queue-aside">
        <Throughput throughput={throughput} />
        <Workers workers={workers} />
      </div>
    </div>
  );
}
