/** As much as the record of a run keeps. */
const MAX_LENGTH = 64 * 1024;

/** The lines of a run that goes on, up to a limit. Text is only added at the end, so a reader can continue at an offset. */
export class LiveLog {
  #text = "";
  #isFull = false;

  get text(): string {
    return this.#text;
  }

  /** Whether the line was added. */
  add(line: string): boolean {
    if (this.#isFull) return false;
    this.#isFull = this.#text.length + line.length > MAX_LENGTH;
    this.#text += this.#isFull ? "… more when the run has ended …\n" : `${line}\n`;
    return true;
  }
}
