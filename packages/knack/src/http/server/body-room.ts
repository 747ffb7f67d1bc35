import { HttpError } from "./http-error.ts";

/** Bodies up to this size are always read: even with one per connection they use little memory. */
const SMALL = 32 * 1024;

/** The memory that all large bodies share. */
export class BodyRoom {
  readonly #limit: number;
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The reserved memory of one body. */
  open(): BodyShare {
    let taken = 0;
    return {
      grow: (length) => {
        if (length <= SMALL) return;
        this.#used += length - taken;
        taken = length;
        if (this.#used > this.#limit)
          throw new HttpError(503, "CONFLICT", "Too many large bodies at once; try again later.", {
            headers: { "Retry-After": "1" },
          });
      },
      free: () => {
        this.#used -= taken;
        taken = 0;
      },
    };
  }
}

export interface BodyShare {
  /** Reserves memory for this many bytes in total. Throws `HttpError` if there is none left. */
  grow(length: number): void;
  free(): void;
}
