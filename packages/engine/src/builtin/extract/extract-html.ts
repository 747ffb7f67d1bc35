import { open } from "node:fs/promises";
import { textPieces } from "../formats/text-encoding.ts";
import type { Extract } from "./extract.ts";
import { OpenElements } from "./open-elements.ts";
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
  makeLinear(parser);
  await using file = await open(input.path);
  for await (const piece of textPieces(file, signal)) {
    parser.write(piece);
    await out.add(page.take());
    if (out.cut) return;
  }
  parser.end();
  await out.add(page.take());
};

/** The two stacks of the parser that grow with the depth of the page. */
function makeLinear(parser: object): void {
  const stacks = parser as { stack?: Iterable<unknown>; foreignContext?: Iterable<unknown> };
  if (!Array.isArray(stacks.stack) || !Array.isArray(stacks.foreignContext))
    throw new Error("This version of htmlparser2 does not keep its open elements in lists.");
  Object.assign(parser, {
    stack: new OpenElements(stacks.stack),
    foreignContext: new OpenElements(stacks.foreignContext),
  });
}
