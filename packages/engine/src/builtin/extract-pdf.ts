import type { getDocumentProxy } from "unpdf";
import { Failure, readWhole, shortMessage } from "./builtin.ts";
import type { Extract } from "./text-artifact.ts";

type PDFDocumentProxy = Awaited<ReturnType<typeof getDocumentProxy>>;

const MAX_PDF_BYTES = 128 << 20;
/** As `pdftotext` does it, so that tools which know pages find them. */
const PAGE_BREAK = "\n\f";
/** Streams are unpacked on other threads, so that the next pages can wait for theirs while one is read. */
const PAGES_AHEAD = 8;

export const extractPdf: Extract = async (input, out, { signal, log }) => {
  const bytes = await readWhole(input, MAX_PDF_BYTES, signal);
  const { getResolvedPDFJS } = await import("unpdf");
  const { getDocument, VerbosityLevel } = await getResolvedPDFJS();
  const missingTables = new Set<string>();
  const task = getDocument({
    // The library takes the bytes away from us, which saves a copy.
    data: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length),
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
    let hasText = false;
    const ahead: Promise<Page>[] = [];
    for (let number = 1; number <= document.numPages && !out.cut; number++) {
      signal.throwIfAborted();
      while (ahead.length < PAGES_AHEAD && number + ahead.length <= document.numPages) {
        ahead.push(readPage(document, number + ahead.length));
      }
      const page = await ahead.shift();
      if (!page || "error" in page) throw page?.error;
      const { text } = page;
      hasText ||= /\S/.test(text);
      await out.add(number === 1 ? text : PAGE_BREAK + text);
      if (number % 50 === 0) log(`page ${number} of ${document.numPages}`);
    }
    if (missingTables.size > 0) throw unknownEncoding(missingTables);
    if (!hasText) throw noText(document.numPages);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Failure || isSystemError(error)) throw error;
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
function unknownEncoding(tables: ReadonlySet<string>): Failure {
  const names = [...tables].map((name) => name.replace(/\.bcmap$/, "")).join(", ");
  return new Failure(
    "PDF_ENCODING",
    `The PDF has text in an unknown encoding (${names}) without a Unicode mapping; export it with Unicode fonts.`,
  );
}

type Page = { readonly text: string } | { readonly error: unknown };

/** Never rejects: while an earlier page fails nobody waits for this one. */
async function readPage(document: PDFDocumentProxy, number: number): Promise<Page> {
  try {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    return { text: pageText(items) };
  } catch (error) {
    return { error };
  }
}

function pageText(items: readonly object[]): string {
  let text = "";
  for (const item of items) {
    if (!("str" in item)) continue;
    const { str, hasEOL } = item as { str: string; hasEOL: boolean };
    text += hasEOL ? `${str}\n` : str;
  }
  return text.trimEnd();
}

function noText(pages: number): Failure {
  const many = pages === 1 ? "The PDF's page has" : `None of the PDF's ${pages} pages has`;
  return new Failure(
    "PDF_NO_TEXT",
    `${many}${pages === 1 ? " no" : " any"} text: it is probably a scan. Run it through text recognition (OCR) first.`,
  );
}

/** A full disk is not the document's fault. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

function broken(error: unknown): Failure {
  const { name, message } = error as Error;
  if (name === "PasswordException") {
    return new Failure("PDF_ENCRYPTED", "The PDF asks for a password; save a copy without one.");
  }
  // What the library says where it cannot have as large a piece of memory as it asks for.
  if (name === "RangeError" || /allocation failed|Invalid (?:typed )?array length/.test(message)) {
    return new Failure(
      "TOO_LARGE",
      "A part of the PDF unpacks to more than fits into memory; print it to a new PDF.",
    );
  }
  return new Failure("PDF_BROKEN", `The PDF cannot be read (${shortMessage(message)}); export it again.`);
}
