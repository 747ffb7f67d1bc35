import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { packageFolder } from "../../version.ts";

/** One file of the page, in the best encoding that the browser takes. */
interface PageFile {
  readonly bytes: Buffer<ArrayBuffer>;
  readonly type: string;
  readonly encoding: string | null;
}

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};

/** The build writes each file a second and a third time, compressed. */
const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

let known: ReadonlySet<string> | undefined;
/** What was read once: all files together are under 2 MB. */
const bytesOf = new Map<string, Buffer<ArrayBuffer>>();

/** Reads a file of the built page; undefined if the page has no such file. */
export function readPageFile(name: string, acceptEncoding: string): PageFile | undefined {
  const folder = join(packageFolder(), "dist", "web");
  known ??= listFiles(folder);
  const type = TYPES[extname(name)];
  if (type === undefined || !known.has(name)) return undefined;
  const [encoding, ending] = ENCODINGS.find(
    ([one, end]) => accepts(acceptEncoding, one) && known?.has(`${name}${end}`),
  ) ?? [null, ""];
  const file = `${name}${ending}`;
  const bytes = bytesOf.get(file) ?? readFileSync(join(folder, file));
  bytesOf.set(file, bytes);
  return { bytes, type, encoding };
}

/** Only names from this list are opened, so no request can name another file. */
function listFiles(folder: string): ReadonlySet<string> {
  const inside = (name: string): string[] => {
    try {
      return readdirSync(join(folder, name));
    } catch {
      // Not built: nothing to list.
      return [];
    }
  };
  return new Set([...inside("."), ...inside("assets").map((name) => `assets/${name}`)]);
}

function accepts(header: string, encoding: string): boolean {
  return header
    .split(",")
    .map((part) => part.trim().toLowerCase())
    .some((part) => part.split(";")[0] === encoding && !/;\s*q=0(?:\.0*)?$/.test(part));
}
