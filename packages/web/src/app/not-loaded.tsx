import { useEffect } from "preact/hooks";
import { connection, onEvent, retryConnection } from "../api/events.ts";
import { PageHead } from "../parts/page/title.tsx";
import { Failed } from "../parts/state/states.tsx";

const MESSAGE = new Error('This page could not be loaded. Start the server again with "knack serve".');

/** Instead of a page whose script could not be loaded, because the server is gone. It loads when the server is back. */
export function NotLoaded() {
  useEffect(() => onEvent("returned", () => location.reload()), []);
  // A reload without the server would end the whole page.
  const again = (): void => (connection.value.state === "live" ? location.reload() : retryConnection());
  return (
    <div class="page">
      <PageHead title="Not loaded" />
      <Failed error={MESSAGE} onRetry={again} />
    </div>
  );
}
