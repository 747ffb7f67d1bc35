import { connection, retryConnection } from "../api/events.ts";
import { now } from "../parts/look/clock.ts";

const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
/** A restart of the server takes less. */
const SOON_MS = 4_000;

/** Whether the page is live: a dot and a word. */
export function ConnectionDot() {
  const current = connection.value;
  if (current.state !== "gone")
    return (
      <span class={`dot dot-${current.state}`} role="status">
        {current.state === "connecting" ? "Connecting" : "Live"}
      </span>
    );
  const isSoon = now.value - current.since.getTime() < SOON_MS;
  return (
    <button
      type="button"
      class="dot dot-gone"
      title="The server does not answer. Start it again with “knack serve”; the page returns by itself. Click to try now."
      onClick={retryConnection}
    >
      <span role="status">{isSoon ? "Reconnecting" : `Gone since ${CLOCK.format(current.since)}`}</span>
    </button>
  );
}
