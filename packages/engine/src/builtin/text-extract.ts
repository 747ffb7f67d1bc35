import { extname, join } from "node:path";
import { pluralize } from "@knack/core/text";
import type { SkillInput } from "../shared/typed-skill.ts";
import { builtin, encryptedDocument, failure, readHead, theInput } from "./builtin.ts";
import { DOCX, detectType } from "./detect-type.ts";
import { extractHtml } from "./extract-html.ts";
import { extractPdf } from "./extract-pdf.ts";
import { type Extract, writePieces } from "./text-artifact.ts";
import { textPieces } from "./text-encoding.ts";

const PLACE = "workspace/artifacts/{task_id}/extracted_{input_sha256}.txt";

export const textExtract = builtin(
  {
    name: "text_extract",
    description: "Extract text from pdf/docx/md/txt/html",
    inputs: [{ role: "input", kind: "FILE", required: true, many: false }],
    outputs: { artifacts: [{ name: "extracted_text", format: "txt", pathTemplate: PLACE }] },
    schema: {
      type: "object",
      properties: { max_chars: { type: "integer", minimum: 1, default: 200_000 } },
      additionalProperties: false,
    },
  },
  async (context) => {
    const input = theInput(context, "input");
    const maxChars = Number(context.params.max_chars ?? 200_000);
    // A registry entry may declare the parameter without a minimum, as the example of document 003 does.
    if (!Number.isInteger(maxChars) || maxChars < 1)
      throw failure("SKILL_BAD_INPUT", "max_chars must be a whole number of at least 1.");
    await refuseTruncated(input);
    const type = await detectType(input.path);
    const extract = await extractorFor(type, input);
    context.log(`reading ${type}`);
    const path = "extracted_text.txt";
    const pieces = extract(input, context);
    const { sha256, isCut } = await writePieces(join(context.artifactsDir, path), pieces, maxChars);
    if (isCut) context.log(`The text was cut after ${maxChars} characters (max_chars).`);
    return { artifacts: [{ name: "extracted_text", path, sha256, format: "txt" }] };
  },
);

/** How each begins, for names that say so. */
const BEGINNINGS: Readonly<Record<string, readonly [name: string, code: string, beginning: string]>> = {
  ".pdf": ["PDF", "PDF_BROKEN", "%PDF-"],
  ".docx": ["Word document", "DOCX_BROKEN", "PK\u0003\u0004"],
};

/** The rest of a truncated document is not text, although its few bytes could be. */
async function refuseTruncated({ path, size_bytes }: SkillInput): Promise<void> {
  const [name, code, beginning] = BEGINNINGS[extname(path).toLowerCase()] ?? ["", "", ""];
  if (name === "" || size_bytes > beginning.length) return;
  if (!beginning.startsWith((await readHead(path)).head.toString("latin1"))) return;
  const what = size_bytes === 0 ? "is empty" : `has only ${pluralize(size_bytes, "byte")}`;
  throw failure(code, `The ${name} ${what}; save or download it again.`);
}

async function extractorFor(type: string, { path }: SkillInput): Promise<Extract> {
  if (type === "application/pdf") return extractPdf;
  if (type === DOCX) return (await import("./extract-docx.ts")).extractDocx;
  if (type === "text/html" || type === "application/xhtml+xml") return extractHtml;
  if (isText(type)) return extractPlain;
  const { head } = await readHead(path);
  // Office keeps documents with a password, and everything it wrote before 2007, in the same kind of container.
  if (type === "application/x-ole-storage") {
    if (head.includes("EncryptedPackage", 0, "utf16le")) throw encryptedDocument();
    throw unsupported("This is an Office file from before 2007");
  }
  if (type === "application/zip" && extname(path).toLowerCase() === ".docx")
    throw failure(
      "DOCX_BROKEN",
      "The Word document cannot be read (it is an archive without word/document.xml); save it again.",
    );
  // Without a zero byte it is more likely a text in an old encoding, and then the first wrong byte helps more.
  if (type === "application/octet-stream" && !head.includes(0)) return extractPlain;
  throw unsupported(`This is ${type}`);
}

const extractPlain: Extract = ({ path }, { signal }) => textPieces(path, signal);

function isText(type: string): boolean {
  return (
    type.startsWith("text/") ||
    /^application\/(?:json|jsonl|yaml|toml|xml|sql|x-sh|x-tex)$/.test(type) ||
    type === "image/svg+xml"
  );
}

function unsupported(what: string): Error {
  return failure("UNSUPPORTED_TYPE", `${what}; text is read from PDF, DOCX, HTML, Markdown and plain text.`);
}
