import type { Entry } from "@knack/core";
import { type Preview, previewLines } from "./preview.ts";

/** How long a row must be selected before its preview is read, so that holding an arrow key reads nothing in between. */
const REST_MS = 60;

/** The preview of one skill, read on demand and wrapped to the current width. */
export class PreviewReader {
  readonly #read: (entry: Entry) => Promise<Preview>;
  readonly #done: () => void;
  #of: Entry | undefined;
  #preview: Preview | undefined;
  #lines: { readonly width: number; readonly lines: readonly string[] } | undefined;
  #rest: NodeJS.Timeout | undefined;

  /** `done` is called when there is something new to show. */
  constructor(read: (entry: Entry) => Promise<Preview>, done: () => void) {
    this.#read = read;
    this.#done = done;
  }

  /** Empty until the skill was read. */
  lines(entry: Entry | undefined, width: number): readonly string[] | undefined {
    if (entry === undefined || entry !== this.#of || this.#preview === undefined) return undefined;
    if (this.#lines?.width !== width) this.#lines = { width, lines: previewLines(this.#preview, width) };
    return this.#lines.lines;
  }

  /** Reads it unless it was read already. A new snapshot has new entries, so it is read again after a change. */
  read(entry: Entry | undefined, isAtOnce: boolean): void {
    if (entry === this.#of) return;
    clearTimeout(this.#rest);
    // Keep showing the old text until the new one is read.
    if (entry?.skill.path !== this.#of?.skill.path) this.#show(undefined);
    this.#of = entry;
    if (!entry) return;
    this.#rest = setTimeout(
      async () => {
        const preview = await this.#read(entry).catch(unreadable);
        if (this.#of !== entry) return;
        this.#show(preview);
        this.#done();
      },
      isAtOnce ? 0 : REST_MS,
    );
  }

  #show(preview: Preview | undefined): void {
    this.#preview = preview;
    this.#lines = undefined;
  }

  stop(): void {
    clearTimeout(this.#rest);
  }
}

function unreadable(error: unknown): Preview {
  return { facts: [], isServed: false, text: [String(error)] };
}
