import { HttpError } from "./http-error.ts";

/** A body up to this size is always read: so many of them as there can be connections are little. */
const SMALL = 32 * 1024;

/** The memory that large bodies share, whoever sends them. */
export class BodyRoom {
  readonly #limit: number;
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The room of one body. */
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
  /** The body has so many bytes by now. Throws `HttpError` where there is no room for them. */
  grow(length: number): void;
  free(): void;
}
