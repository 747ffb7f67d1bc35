import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { build } from "vite";

const COMPRESSED = new Set([".css", ".html", ".js", ".svg"]);
/** A smaller file gains nothing. */
const SMALL = 1024;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Builds the page that `knack serve` shows, compressed once here instead of at each request. Returns the files that went in. */
export async function buildPage(configFile: string, folder: string): Promise<readonly string[]> {
  const built = await build({ configFile, logLevel: "warn", build: { outDir: folder } });
  if (!("output" in built)) throw new Error("The page was built as more or less than one bundle.");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  await Promise.all(
    files.filter((file) => COMPRESSED.has(extname(file))).map((file) => compress(join(folder, file))),
  );
  return built.output.flatMap((one) => (one.type === "chunk" ? one.moduleIds : []));
}

async function compress(file: string): Promise<void> {
  const bytes = readFileSync(file);
  if (bytes.length < SMALL) return;
  const size = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [small, zipped] = await Promise.all([brotli(bytes, { params: size }), zip(bytes, { level: 9 })]);
  writeFileSync(`${file}.br`, small);
  writeFileSync(`${file}.gz`, zipped);
}
