export type PreviewKind = "markdown" | "text" | "image" | "pdf" | "none";

const IMAGES = new Set(["png", "jpg", "jpeg", "gif", "webp", "avif"]);
const TEXTS = new Set(
  "txt text json jsonl ndjson yaml yml toml ini csv tsv html htm xml svg css js mjs ts tsx jsx py sh log diff patch liquid sql rst tex".split(
    " ",
  ),
);

/** How an artifact can be shown, by its declared format and by its name. The server sends the same kinds. */
export function previewKind(format: string, path: string): PreviewKind {
  for (const word of [format, path.split(".").at(-1) ?? ""].map((one) => one.toLowerCase())) {
    if (word === "md" || word === "markdown") return "markdown";
    if (word === "pdf") return "pdf";
    if (IMAGES.has(word)) return "image";
    if (TEXTS.has(word)) return "text";
  }
  return "none";
}
