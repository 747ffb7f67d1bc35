import { BETWEEN, IN_DOUBT, MODAL, WEAK_MODAL } from "./words.ts";

/** What follows the last word of a text that requires ("must", "always"), as far as that word reaches it. */
export function reachOfModal(text: string): string | null {
  let reach: string | null = null;
  for (const { index, 0: modal } of text.matchAll(MODAL))
    if (!WEAK_MODAL.test(modal) || !IN_DOUBT.test(text.slice(0, index)))
      reach = text.slice(index + modal.length);
  return reach === null || BETWEEN.test(reach.replace(/[:：]\W*$/, "")) ? null : reach;
}
