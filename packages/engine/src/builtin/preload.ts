/** The least that makes the reader of PDFs go through all of its steps. */
const TINY = `%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Count 1 /Kids [3 0 R] >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >> endobj
4 0 obj << /Length 32 >> stream
BT /F 9 Tf 1 1 Td (text) Tj ET  
endstream endobj
5 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj
trailer << /Root 1 0 R >>
`;

const loadPdf = () => import("unpdf").then(({ getResolvedPDFJS }) => getResolvedPDFJS());

/** By the ending of the file that is expected. */
const READERS: ReadonlyMap<string, () => Promise<unknown>> = new Map<string, () => Promise<unknown>>([
  [".pdf", loadPdf],
  [".docx", () => import("mammoth")],
  [".html", () => import("htmlparser2")],
  [".liquid", () => import("./template/render-liquid.ts")],
]);

/**
 * Loads parsers in advance: those for a file with this extension, or all. A failure here happens again when the parser is
 * needed, and is reported then.
 */
export async function preload(ending: string): Promise<void> {
  const readers = ending === "*" ? [readTiny, ...READERS.values()] : [READERS.get(ending)];
  for (const load of readers) await Promise.allSettled([load?.()]);
}

/** Code is compiled when it is first called, which takes longer than a small file: so where there is time it is called. */
async function readTiny(): Promise<void> {
  const { getDocument, VerbosityLevel } = await loadPdf();
  const task = getDocument({ data: new TextEncoder().encode(TINY), verbosity: VerbosityLevel.ERRORS });
  const page = await (await task.promise).getPage(1);
  await page.getTextContent();
  await task.destroy();
}
