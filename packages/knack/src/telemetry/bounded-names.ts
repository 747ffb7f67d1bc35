import { cleanText } from "./clean.ts";

/** Each name is a series of numbers for every metric: a folder of many skills must not fill a monitoring system. */
const MAX_NAMES = 200;
const OTHER = "other";

/** Names as labels: the first ones that are used, then `other` for all that come later. */
export class BoundedNames {
  readonly #names = new Set<string>();

  of(name: string): string {
    const clean = cleanText(name);
    if (this.#names.has(clean)) return clean;
    if (this.#names.size >= MAX_NAMES) return OTHER;
    this.#names.add(clean);
    return clean;
  }
}
