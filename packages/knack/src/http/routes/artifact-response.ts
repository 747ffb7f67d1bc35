import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { Readable } from "node:stream";

/** What a browser may show, and the page by this type. Everything else that is text is text/plain, so HTML, SVG and scripts are never executed. */
const SHOWN: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  pdf: "application/pdf",
};
const TEXT = new Set(
  "txt text md markdown json jsonl ndjson yaml yml toml ini csv tsv html htm xml svg css js mjs ts tsx jsx py sh log diff patch liquid sql rst tex".split(
    " ",
  ),
);

function artifactType(format: string, path: string): string {
  for (const word of [format, path.split(".").at(-1) ?? ""].map((one) => one.toLowerCase())) {
    if (Object.hasOwn(SHOWN, word)) return SHOWN[word] ?? "";
    if (TEXT.has(word)) return "text/plain; charset=utf-8";
  }
  return "application/octet-stream";
}

/** Sends an open artifact as a download; the descriptor is closed with the stream. */
export function artifactResponse(
  { format, path }: { readonly format: string; readonly path: string },
  { fd, size }: { readonly fd: number; readonly size: number },
  first: number | undefined,
): Response {
  const length = Math.min(first ?? size, size);
  const name = basename(path);
  const stream = createReadStream("", {
    fd,
    start: 0,
    autoClose: true,
    ...(length > 0 ? { end: length - 1 } : {}),
  });
  if (length === 0) stream.destroy();
  const ascii = name.replace(/[^\w.-]/g, "_");
  return new Response(length === 0 ? "" : (Readable.toWeb(stream) as ReadableStream<Uint8Array>), {
    headers: {
      "Content-Type": artifactType(format, path),
      "Content-Length": String(length),
      "Content-Disposition": `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name)}`,
      "Content-Security-Policy": "sandbox; default-src 'none'",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
