import { count } from "./count.ts";
import { isTerminal } from "./output.ts";

/** One line that is rewritten, from the first second on, where a person can see it. */
export class Progress {
  readonly #started = performance.now();
  #shown = false;
  #ended = false;

  readonly tell = (folders: number): void => {
    if (this.#ended || performance.now() - this.#started < 1000 || !isTerminal(2)) return;
    this.#shown = true;
    process.stderr.write(`\r\u001b[2KLooking for skills: ${count(folders)} folders`);
  };

  /** From then on it shows nothing: a session looks at the files again while it talks. */
  end(): void {
    this.#ended = true;
    if (this.#shown) process.stderr.write("\r\u001b[2K");
    this.#shown = false;
  }
}
