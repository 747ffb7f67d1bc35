import { useEffect, useRef, useState } from "preact/hooks";
import { CopyButton } from "../../parts/look/copy-button.tsx";
import { plural } from "../../parts/look/words.tsx";
import { Empty } from "../../parts/state/states.tsx";
import type { RunDetail } from "./run-state.tsx";
import { useLog } from "./use-log.ts";

/** So many pixels from the end count as the end. */
const AT_END = 24;

/** What the skill printed, as it happens. It follows the end unless the reader scrolled up. */
export function RunLog({ run }: { readonly run: RunDetail }) {
  const { text, error } = useLog(run);
  const box = useRef<HTMLPreElement>(null);
  const [isFollowing, setFollowing] = useState(run.status === "RUNNING");
  useEffect(() => {
    if (isFollowing && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [text, isFollowing]);
  if (run.status === "RUNNING" && !run.live)
    return (
      <Empty
        icon="clock"
        title="Another process executes this run. Its log is here when the run has ended."
      />
    );
  if (text === "")
    return (
      <Empty
        icon={run.status === "RUNNING" ? "clock" : "info"}
        title={run.status === "RUNNING" ? "Nothing printed yet." : "The skill printed nothing."}
      />
    );
  const lines = text.replace(/\n$/, "").split("\n");
  return (
    <div class="run-log">
      <div class="run-log-head small">
        <span class="quiet">{plural(lines.length, "line")}</span>
        {error && <span role="alert">{error.message}</span>}
        {run.status === "RUNNING" && (
          <label class="run-follow">
            <input
              type="checkbox"
              checked={isFollowing}
              onChange={(event) => setFollowing(event.currentTarget.checked)}
            />
            Follow the end
          </label>
        )}
        <CopyButton text={text} words="Copy the log" />
      </div>
      <pre
        ref={box}
        role="log"
        aria-label="Log"
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) =>
          setFollowing(scrollHeight - scrollTop - clientHeight < AT_END)
        }
      >
        <code>{text}</code>
      </pre>
    </div>
  );
}
