import { useEffect, useState } from "preact/hooks";
import { connection, retryConnection } from "../api/events.ts";

const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
/** A restart of the server takes less. */
const SOON_MS = 3_000;

/** Whether the page is live: a dot and a word. */
export function ConnectionDot() {
  const current = connection.value;
  if (current.state === "gone") return <Gone since={current.since} />;
  return (
    <span class={`dot dot-${current.state}`} role="status">
      {current.state === "connecting" ? "Connecting" : "Live"}
    </span>
  );
}

function Gone({ since }: { readonly since: Date }) {
  const [isSoon, setSoon] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setSoon(false), SOON_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <button
      type="button"
      class="dot dot-gone"
      title="The server does not answer. Start it again with “knack serve”; the page returns by itself. Click to try now."
      onClick={retryConnection}
    >
      <span role="status">{isSoon ? "Reconnecting" : `Gone since ${CLOCK.format(since)}`}</span>
    </button>
  );
}
