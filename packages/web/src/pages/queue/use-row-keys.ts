import { useShortcuts } from "../../parts/page/shortcuts.ts";

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>("[data-queued]")];
const placeOf = (all: readonly HTMLElement[]): number =>
  all.findIndex((row) => row.closest("li")?.contains(document.activeElement));

function step(by: 1 | -1): void {
  const all = rows();
  const place = placeOf(all);
  const next = place < 0 ? 0 : Math.min(Math.max(place + by, 0), all.length - 1);
  all[next]?.focus();
}

/** Presses a button of the row that has the focus. */
function press(action: "retry" | "cancel"): void {
  const all = rows();
  const row = all[placeOf(all)]?.closest("li");
  row?.querySelector<HTMLButtonElement>(`[data-act="${action}"]`)?.click();
}

/** The rows by keyboard, in all sections; Enter opens, because a row is a link. */
export function useRowKeys(): void {
  useShortcuts("Queue", [
    { keys: "j", words: "Next run", run: () => step(1) },
    { keys: "k", words: "Previous run", run: () => step(-1) },
    { keys: "s", words: "Send the run in focus again", run: () => press("retry") },
    { keys: "x", words: "Cancel the run in focus", run: () => press("cancel") },
  ]);
}
