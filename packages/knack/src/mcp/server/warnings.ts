import { note } from "../../terminal/output.ts";
import { escapeControl } from "../../terminal/visible.ts";

/** So many are told one by one; a catalog of thousands would fill the log of a client. */
const MAX_TOLD = 20;

/** What is worth a word on standard error, each once. */
export class Warnings {
  readonly #told = new Set<string>();
  #isFull = false;

  tell(message: string): void {
    if (this.#isFull || this.#told.has(message)) return;
    if (this.#told.size >= MAX_TOLD) {
      this.#isFull = true;
      note(`note: More notes like these are not shown.`);
      return;
    }
    this.#told.add(message);
    note(`note: ${escapeControl(message)}`);
  }
}
