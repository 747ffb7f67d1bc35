import { promisify } from "node:util";
import { constants, inflate } from "node:zlib";
import { Failure } from "../failure.ts";
import { mebibytes } from "../inputs.ts";

const MAX_STREAM_BYTES = 32 << 20;
const MAX_TOTAL_BYTES = 256 << 20;
const KEYWORD = Buffer.from("stream");
const unpack = promisify(inflate);

/**
 * Refuses a PDF with a stream that unpacks to far more than a page or a font needs, before the library unpacks it without a
 * limit. Images are skipped: their streams are never unpacked for the text.
 */
export async function refusePdfBomb(data: Buffer, signal: AbortSignal): Promise<void> {
  let total = 0;
  for (let at = data.indexOf(KEYWORD); at !== -1; at = data.indexOf(KEYWORD, at + 6)) {
    const start = startOfStream(data, at);
    if (start === undefined) continue;
    signal.throwIfAborted();
    const dictionary = data.toString("latin1", Math.max(0, at - 2048), at);
    const own = dictionary.slice(dictionary.lastIndexOf(" obj") + 1);
    if (/\/Subtype\s*\/Image\b/.test(own)) continue;
    if (/FlateDecode\b.*FlateDecode\b/s.test(own)) throw tooLarge("is compressed twice");
    total += await unpackedBytes(data.subarray(start));
    if (total > MAX_TOTAL_BYTES)
      throw tooLarge(`and the parts before it unpack to more than ${mebibytes(MAX_TOTAL_BYTES)}`);
  }
}

/** Where the packed bytes begin, if this is the keyword of a stream and they look like zlib's. */
function startOfStream(data: Buffer, keyword: number): number | undefined {
  if (data.toString("latin1", Math.max(0, keyword - 3), keyword) === "end") return undefined;
  let start = keyword + 6;
  if (data[start] === 0x0d) start++;
  if (data[start] === 0x0a) start++;
  const [method = 0, flags = 1] = data.subarray(start, start + 2);
  return (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0 ? start : undefined;
}

async function unpackedBytes(packed: Buffer): Promise<number> {
  try {
    const options = { maxOutputLength: MAX_STREAM_BYTES, finishFlush: constants.Z_SYNC_FLUSH };
    return (await unpack(packed, options)).length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") {
      throw tooLarge(`unpacks to more than ${mebibytes(MAX_STREAM_BYTES)}`);
    }
    // Damaged, or no stream at all: what the reader makes of it is small, for zlib stopped there.
    return 0;
  }
}

function tooLarge(why: string): Failure {
  return new Failure(
    "TOO_LARGE",
    `A part of the PDF ${why}, which ordinary pages never do; print it to a new PDF.`,
  );
}
