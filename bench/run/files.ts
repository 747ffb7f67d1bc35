import { createHash, randomBytes } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { makePdf } from "../../packages/engine/src/builtin/testing/make-pdf.ts";

/** Writes a file of this many mebibytes; returns its sha256. */
export function writeLarge(path: string, mebibytes: number): string {
  const block = randomBytes(1 << 20);
  const digest = createHash("sha256");
  const file = openSync(path, "w");
  for (let written = 0; written < mebibytes; written++) {
    writeSync(file, block);
    digest.update(block);
  }
  closeSync(file);
  return digest.digest("hex");
}

/** A PDF of dense pages in three languages, without an embedded font. */
export function makePages(count: number): Uint8Array {
  const words =
    "the quarterly report says that revenue grew while costs stayed flat 第三季度收入增长 売上".split(" ");
  const line = (n: number): string =>
    Array.from({ length: 11 }, (_, at) => words[(n * 7 + at * 3) % words.length]).join(" ");
  const pages = Array.from({ length: count }, (_, page) =>
    Array.from({ length: 50 }, (_, row) => line(page * 50 + row)),
  );
  return makePdf(pages, { compress: true });
}
