import { open } from "node:fs/promises";
import { textPieces } from "../text-encoding.ts";
import type { Extract } from "./extract.ts";
import { PageText } from "./page-text.ts";

/** The text that a reader of the page would see. */
export const extractHtml: Extract = async (input, out, { signal }) => {
  const { Parser } = await import("htmlparser2");
  const page = new PageText();
  const parser = new Parser(
    {
      onopentag: (name, attributes) => page.open(name, attributes),
      onclosetag: (name) => page.close(name),
      ontext: (text) => page.text(text),
    },
    { decodeEntities: true, lowerCaseTags: true, recognizeSelfClosing: true },
  );
  await using file = await open(input.path);
  for await (const piece of textPieces(file, signal)) {
    parser.write(piece);
    await out.add(page.take());
    if (out.cut) return;
  }
  parser.end();
  await out.add(page.take());
};
