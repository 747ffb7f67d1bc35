import { KnackError } from "@knack/core/text";
import { failure, readWhole, shortMessage } from "./builtin.ts";
import type { Extract } from "./text-artifact.ts";

const MAX_PDF_BYTES = 128 << 20;
/** As `pdftotext` does it, so that tools which know pages find them. */
const PAGE_BREAK = "\n\f";

export const extractPdf: Extract = async function* (input, { signal, log }) {
  const bytes = await readWhole(input, MAX_PDF_BYTES, signal);
  const { getResolvedPDFJS } = await import("unpdf");
  const { getDocument, VerbosityLevel } = await getResolvedPDFJS();
  const missingTables = new Set<string>();
  const task = getDocument({
    // The library takes the memory away from us, which saves a copy where nothing else is in it.
    data: bytes.buffer.byteLength === bytes.length ? new Uint8Array(bytes.buffer) : Uint8Array.from(bytes),
    // Nothing is looked for on this machine or elsewhere.
    useSystemFonts: false,
    useWorkerFetch: false,
    BinaryDataFactory: factoryWithout(missingTables),
    disableFontFace: true,
    stopAtErrors: false,
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    const document = await task.promise;
    if (document.numPages === 0) throw broken(new Error("it has no pages"));
    let [hasText, text] = [false, ""];
    for (let number = 1; number <= document.numPages; number++) {
      signal.throwIfAborted();
      const page = await document.getPage(number);
      text += (number === 1 ? "" : PAGE_BREAK) + textOf((await page.getTextContent()).items);
      page.cleanup();
      if (missingTables.size > 0) throw unknownEncoding(missingTables);
      hasText ||= /\S/.test(text);
      if (number % 50 === 0) log(`page ${number} of ${document.numPages}`);
      // Nobody reads on where enough was read, so a scan must be known before its page breaks are given.
      if (!hasText) continue;
      yield text;
      text = "";
    }
    if (!hasText) throw noText(document.numPages);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof KnackError || isSystemError(error)) throw error;
    throw broken(error);
  } finally {
    await task.destroy();
  }
};

/** The library asks for files of its own by this; those for fonts matter only to what is drawn. */
function factoryWithout(missingTables: Set<string>) {
  return class {
    async fetch({ kind, filename }: { kind: string; filename: string }): Promise<never> {
      if (kind === "cMapUrl") missingTables.add(filename);
      throw new Error(`no ${filename}`);
    }
  };
}

/** Without the table the letters of that font would be silently dropped. */
function unknownEncoding(tables: ReadonlySet<string>): KnackError {
  const names = [...tables].map((name) => name.replace(/\.bcmap$/, "")).join(", ");
  return failure(
    "PDF_ENCODING",
    `The PDF has text in an unknown encoding (${names}) without a Unicode mapping; export it with Unicode fonts.`,
  );
}

function textOf(items: readonly object[]): string {
  let text = "";
  for (const item of items) {
    if (!("str" in item)) continue;
    const { str, hasEOL } = item as { str: string; hasEOL: boolean };
    text += hasEOL ? `${str}\n` : str;
  }
  return text.trimEnd();
}

function noText(pages: number): KnackError {
  const none = pages === 1 ? "The PDF's page has no" : `None of the PDF's ${pages} pages has any`;
  return failure(
    "PDF_NO_TEXT",
    `${none} text: it is probably a scan. Run it through text recognition (OCR) first.`,
  );
}

/** A full disk is not the document's fault. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

function broken(error: unknown): KnackError {
  const { name, message } = error as Error;
  if (name === "PasswordException")
    return failure("PDF_ENCRYPTED", "The PDF asks for a password; save a copy without one.");
  // What the library says where it cannot have as large a piece of memory as it asks for.
  if (name === "RangeError" || /allocation failed|Invalid (?:typed )?array length/.test(message)) {
    return failure(
      "TOO_LARGE",
      "A part of the PDF unpacks to more than fits into memory; print it to a new PDF.",
    );
  }
  return failure("PDF_BROKEN", `The PDF cannot be read (${shortMessage(message)}); export it again.`);
}
