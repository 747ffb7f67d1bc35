/** A line of input, or the note that one was too long to keep. */
export type Line = { readonly text: string } | { readonly tooLong: true };

const NEWLINE = 0x0a;

/** Splits a stream into lines. Of a line over the limit nothing is kept, however long it is. */
export async function* readLines(input: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Line, void> {
  let parts: Buffer[] = [];
  let length = 0;
  const take = (): Line | undefined => {
    const line: Line =
      length > maxBytes ? { tooLong: true } : { text: Buffer.concat(parts).toString("utf8") };
    parts = [];
    length = 0;
    return "text" in line && line.text.trim() === "" ? undefined : line;
  };
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end));
      start = end + 1;
      const line = take();
      if (line) yield line;
    }
    add(chunk.subarray(start));
  }
  const last = take();
  if (last) yield last;

  function add(part: Buffer): void {
    length += part.length;
    if (length > maxBytes) parts = [];
    else parts.push(part);
  }
}
