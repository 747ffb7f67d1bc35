/** Collects bytes and whole numbers, small numbers in few bytes. */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  /** Where the next byte goes; another place can be set, within the capacity. */
  length = 0;

  constructor(capacity = 1024) {
    this.#bytes = new Uint8Array(capacity);
  }

  byte(value: number): void {
    if (this.length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.length++] = value;
  }

  /** A whole number below 2^32, seven bits a byte, lowest first. */
  varint(value: number): void {
    if (this.length + 5 > this.#bytes.length) this.#grow(5);
    const bytes = this.#bytes;
    let at = this.length;
    let rest = value;
    while (rest > 0x7f) {
      bytes[at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    bytes[at++] = rest;
    this.length = at;
  }

  list(numbers: ArrayLike<number>): void {
    this.varint(numbers.length);
    for (let i = 0; i < numbers.length; i++) this.varint(numbers[i] as number);
  }

  add(bytes: Uint8Array): void {
    if (this.length + bytes.length > this.#bytes.length) this.#grow(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** A view; later writes may change it. */
  written(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.length);
  }

  #grow(room: number): void {
    const larger = new Uint8Array(Math.max(2 * this.#bytes.length, this.length + room));
    larger.set(this.#bytes.subarray(0, this.length));
    this.#bytes = larger;
  }
}

export class ByteReader {
  readonly bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  varint(): number {
    const { bytes } = this;
    let at = this.at;
    let byte = bytes[at++] as number;
    let value = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = bytes[at++] as number;
      value |= (byte & 0x7f) << shift;
    }
    this.at = at;
    return value >>> 0;
  }

  list(): Uint32Array {
    const numbers = new Uint32Array(this.varint());
    for (let i = 0; i < numbers.length; i++) numbers[i] = this.varint();
    return numbers;
  }
}

/** Where each of several pieces begins, and where the last ends. */
export function startsOf(lengths: ArrayLike<number>): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  for (let i = 0; i < lengths.length; i++) starts[i + 1] = (starts[i] as number) + (lengths[i] as number);
  return starts;
}
