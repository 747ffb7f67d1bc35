import { signal } from "@preact/signals";
import { type Answer, get } from "../api/client.ts";
import { onEvent } from "../api/events.ts";

/** What this server serves; the frame shows it on every page. */
export const status = signal<Answer<"/api/status"> | undefined>(undefined);

/** Loads it now, and again when the skills change. */
export function followStatus(): void {
  const load = async (): Promise<void> => {
    try {
      status.value = await get("/api/status");
    } catch {
      // The connection's own state says that the server is gone; the last status stays.
    }
  };
  onEvent("catalog", () => void load());
  onEvent("returned", () => void load());
  void load();
}
