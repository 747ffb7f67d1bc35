/** JSON-RPC and MCP, one message a line. */

/** A line of input, or the note that one was too long to keep. */
export type InputLine = { readonly text: string } | { readonly tooLong: true };

/** What one message may have, in every protocol of lines. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;

const NEWLINE = 0x0a;
const INVALID_PARAMS = -32602;

/** Chunks in, lines out, without the empty ones. Of a line over the limit nothing is kept, however long it is. */
export class LineBuffer {
  #parts: Buffer[] = [];
  #length = 0;

  /** Whether the line that is coming in is too long already. */
  get isTooLong(): boolean {
    return this.#length > MAX_LINE_BYTES;
  }

  *add(chunk: Buffer): Generator<InputLine, void> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      start = end + 1;
      yield* this.end();
    }
    this.#keep(chunk.subarray(start));
  }

  /** What has come of a line that goes no further. */
  *end(): Generator<InputLine, void> {
    const line: InputLine = this.isTooLong
      ? { tooLong: true }
      : { text: Buffer.concat(this.#parts).toString("utf8") };
    this.#parts = [];
    this.#length = 0;
    if ("tooLong" in line || line.text.trim() !== "") yield line;
  }

  #keep(part: Buffer): void {
    this.#length += part.length;
    if (this.isTooLong) this.#parts = [];
    else this.#parts.push(part);
  }
}

export async function* readLines(input: AsyncIterable<Buffer>): AsyncGenerator<InputLine, void> {
  const lines = new LineBuffer();
  for await (const chunk of input) yield* lines.add(chunk);
  yield* lines.end();
}

/** A message of JSON-RPC as a line. Parameters come back in an answer, and they may be nested more deeply than can be written. */
export function messageLine(message: object): string {
  try {
    return JSON.stringify(message);
  } catch (error) {
    if (!(error instanceof RangeError) || !("id" in message)) throw error;
    const failure = { code: INVALID_PARAMS, message: "The parameters are nested too deeply." };
    return JSON.stringify({ jsonrpc: "2.0", id: message.id, error: failure });
  }
}
