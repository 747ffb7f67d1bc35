/**
 * A stack with its top at place 0, as the HTML library keeps its open elements. In an array that costs time by the square of
 * the depth, and a page of ten million tags never ends; here each step takes the same time.
 */
export class OpenElements<T> {
  readonly #items: T[];
  readonly #counts = new Map<T, number>();

  constructor(items: Iterable<T> = []) {
    this.#items = [...items].reverse();
    for (const item of this.#items) this.#count(item, 1);
  }

  get 0(): T | undefined {
    return this.#items.at(-1);
  }

  get length(): number {
    return this.#items.length;
  }

  unshift(item: T): void {
    this.#items.push(item);
    this.#count(item, 1);
  }

  shift(): T | undefined {
    const item = this.#items.pop();
    if (item !== undefined) this.#count(item, -1);
    return item;
  }

  includes(item: T): boolean {
    return (this.#counts.get(item) ?? 0) > 0;
  }

  /** Only looked for where it is there; everything above is then closed, so that all searches together are linear. */
  indexOf(item: T): number {
    return this.includes(item) ? this.#items.length - 1 - this.#items.lastIndexOf(item) : -1;
  }

  #count(item: T, by: number): void {
    this.#counts.set(item, (this.#counts.get(item) ?? 0) + by);
  }
}
