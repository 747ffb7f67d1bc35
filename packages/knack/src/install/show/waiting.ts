import { isTerminal } from "../../terminal/output.ts";
import { visiblePath } from "../../terminal/visible.ts";

/** One line on a terminal, from the first second on, for as long as something takes. */
export class Waiting {
  readonly #timer: NodeJS.Timeout;
  #isShown = false;

  constructor(text: string) {
    const started = performance.now();
    this.#timer = setInterval(() => {
      if (!isTerminal(2)) return;
      const seconds = Math.floor((performance.now() - started) / 1000);
      this.#isShown = true;
      process.stderr.write(`\r\u001b[2K${visiblePath(text)} (${seconds} s)`);
    }, 1000);
    this.#timer.unref();
  }

  end(): void {
    clearInterval(this.#timer);
    if (this.#isShown) process.stderr.write("\r\u001b[2K");
  }
}
