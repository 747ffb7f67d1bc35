import { extname } from "node:path";

const BY_EXTENSION: Readonly<Record<string, string>> = {
  ".md": "text/markdown",
  ".txt": "text/plain",
  ".json": "application/json",
  ".yaml": "application/yaml",
  ".yml": "application/yaml",
  ".py": "text/x-python",
  ".sh": "application/x-sh",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".ts": "text/typescript",
  ".html": "text/html",
  ".css": "text/css",
  ".csv": "text/csv",
  ".xml": "application/xml",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".pdf": "application/pdf",
};

/** By the file's name, as clients expect; a type is a hint and decides nothing here. */
export function mediaType(file: string): string {
  const extension = extname(file).toLowerCase();
  return Object.hasOwn(BY_EXTENSION, extension)
    ? (BY_EXTENSION[extension] as string)
    : "application/octet-stream";
}
