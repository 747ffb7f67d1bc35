import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, get } from "../../api/client.ts";
import { onEvent } from "../../api/events.ts";
import type { RunDetail } from "./run-state.tsx";

interface Log {
  readonly text: string;
  readonly error: ApiError | undefined;
}

/** The log of a run, continued while the run goes on. The recorded log replaces it at the end. */
export function useLog({ id, status, live, log }: RunDetail): Log {
  const [text, setText] = useState(log);
  const [error, setError] = useState<ApiError>();
  const next = useRef(log.length);

  useEffect(() => {
    if (status !== "RUNNING") {
      setText(log);
      return;
    }
    if (!live) return;
    const stop = new AbortController();
    let isAsking = false;
    const read = async (): Promise<void> => {
      if (isAsking) return;
      isAsking = true;
      try {
        const part = await get(
          "/api/runs/{id}/log",
          { path: { id }, query: { offset: next.current } },
          { signal: stop.signal },
        );
        // The end of the run changes `status`, which shows the recorded log.
        if (!part.live || stop.signal.aborted) return;
        setError(undefined);
        if (part.text === "") return;
        next.current = part.next;
        setText((before) => before + part.text);
      } catch (failure) {
        if (!stop.signal.aborted && failure instanceof ApiError) setError(failure);
      } finally {
        isAsking = false;
      }
    };
    void read();
    const unfollow = onEvent("runs", (data) => {
      const { running } = data as { running: readonly { id: string; log_length: number | null }[] };
      const own = running.find((run) => run.id === id);
      if (own && (own.log_length ?? 0) > next.current) void read();
    });
    return () => {
      stop.abort();
      unfollow();
    };
  }, [id, status, live]);

  return { text, error };
}
