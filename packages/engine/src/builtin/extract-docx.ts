import { KnackError } from "@knack/core/text";
import { failure, shortMessage } from "./builtin.ts";
import { MAX_DEPTH, tooDeep } from "./extract-html.ts";
import type { Extract } from "./text-artifact.ts";
import { withParts, type ZipParts } from "./zip.ts";

const MAX_UNPACKED_BYTES = 16 << 20;

/** The text of a Word document: paragraphs with an empty line between them, those in cells of tables too. */
export const extractDocx: Extract = async function* ({ path }, { signal }) {
  try {
    const xml = await withParts(path, async (parts) => parts.text(await mainPart(parts), MAX_UNPACKED_BYTES));
    signal.throwIfAborted();
    const text = await wordText(xml);
    if (text !== "") yield `${text.replace(/\n+$/, "")}\n`;
  } catch (error) {
    if (error instanceof KnackError || signal.aborted) throw error;
    throw failure(
      "DOCX_BROKEN",
      `The Word document cannot be read (${shortMessage((error as Error).message)}); save it again.`,
    );
  }
};

async function mainPart(parts: ZipParts): Promise<string> {
  const relations = parts.has("_rels/.rels") ? await parts.text("_rels/.rels", 1 << 20) : "";
  for (const [relation] of relations.matchAll(/<(?:\w+:)?Relationship\s[^<>]*>/g)) {
    if (!/\sType\s*=\s*["'][^"']*\/officeDocument["']/.test(relation)) continue;
    const target = /\sTarget\s*=\s*["']\/?([^"']*)["']/.exec(relation)?.[1];
    if (target !== undefined && parts.has(target)) return target;
  }
  return "word/document.xml";
}

/** Properties, deleted and moved text, formulas, field codes; pictures and the newer of two ways to say the same thing. */
const SKIPPED = new Set(
  "pPr rPr tblPr trPr tcPr sectPr sdtPr del moveFrom instrText oMath rt inline anchor Choice".split(" "),
);
const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ["tab", "\t"],
  ["noBreakHyphen", "\u2011"],
  ["softHyphen", "\u00ad"],
]);

interface Block {
  readonly name: string;
  text: string;
  /** Paragraphs inside a paragraph are text boxes, which come after it. */
  after: string;
  isDropped: boolean;
  /** Its mark was deleted, so that it goes on in the next paragraph. */
  isJoined: boolean;
}

async function wordText(xml: string): Promise<string> {
  const { Parser } = await import("htmlparser2");
  const open: { readonly name: string; readonly start: number }[] = [];
  const blocks: Block[] = [];
  let [skipped, joined, whole] = [0, "", ""];
  const put = (text: string): void => {
    const block = blocks.at(-1);
    if (block) block.text += text;
    else whole += text;
  };
  const markDropped = (name: string): void => {
    const block = blocks.at(-1);
    if (block?.name === name) block.isDropped = true;
  };

  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        const name = localName(tag);
        const [above, higher] = [open.at(-1)?.name, open.at(-2)?.name];
        if (open.push({ name, start: parser.startIndex }) > MAX_DEPTH) throw tooDeep();
        if (skipped > 0 || SKIPPED.has(name)) {
          skipped++;
          if (name === "del" && above === "trPr") markDropped("tr");
          const paragraph = blocks.at(-1);
          if (name === "del" && above === "rPr" && higher === "pPr" && paragraph) paragraph.isJoined = true;
          // A cell that goes on from the row above shows nothing of its own.
          if (name === "vMerge" && !Object.entries(attributes).some(isRestart)) markDropped("tc");
        } else if (name === "p" || name === "tr" || name === "tc") {
          const text = name === "p" ? joined : "";
          if (name === "p") joined = "";
          blocks.push({ name, text, after: "", isDropped: false, isJoined: false });
        } else put(CHARACTERS.get(name) ?? "");
      },
      ontext(text) {
        if (skipped === 0 && open.at(-1)?.name === "t") put(text);
      },
      onclosetag(tag, isImplied) {
        const name = localName(tag);
        // An element may be closed by its own tag alone: what closes it otherwise is no XML.
        if (isImplied && open.pop()?.start !== parser.startIndex) throw new Error(`<${tag}> is not closed`);
        if (!isImplied) open.pop();
        if (skipped > 0) skipped--;
        else if (name === blocks.at(-1)?.name) close(blocks.pop() as Block);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  const close = (block: Block): void => {
    if (block.isDropped) return;
    if (block.isJoined) joined = block.text;
    else if (block.name !== "p") put(block.text);
    else {
      const outer = blocks.at(-1);
      const text = `${block.text}\n\n${block.after}`;
      if (outer?.name === "p") outer.after += text;
      else put(text);
    }
  };
  parser.end(xml);
  return whole;
}

function localName(tag: string): string {
  return tag.slice(tag.indexOf(":") + 1);
}

function isRestart([name, value]: [string, string]): boolean {
  return localName(name) === "val" && value === "restart";
}
