import { isTerminal } from "./output.ts";

/** One line that is rewritten, from the first second on, where a person can see it. */
export class Progress {
  readonly #started = performance.now();
  readonly #describe: (count: number) => string;
  #shown = false;
  #ended = false;

  constructor(describe: (count: number) => string) {
    this.#describe = describe;
  }

  readonly tell = (done: number): void => {
    if (this.#ended || performance.now() - this.#started < 1000 || !isTerminal(2)) return;
    this.#shown = true;
    process.stderr.write(`\r\u001b[2K${this.#describe(done)}`);
  };

  /** From then on it shows nothing: a session looks at the files again while it talks. */
  end(): void {
    this.#ended = true;
    if (this.#shown) process.stderr.write("\r\u001b[2K");
    this.#shown = false;
  }
}
