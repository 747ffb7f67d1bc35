import type { Remark } from "../finding.ts";
import type { LintSkill } from "../lint-skill-input.ts";
import type { LintText } from "../text/passage.ts";

const BLOB = /[A-Za-z0-9+/]{24,}={0,2}/g;
/** What a text has no reason to hide. */
const ORDERS =
  /\b(?:curl|wget|bash|powershell|eval|exec|os\.system|subprocess|child_process|rm -rf|nc -e|iex)\b|https?:\/\/|ignore (?:all )?(?:previous|prior)/i;
const PRINTABLE = /^[\t\n\r -~]*$/;
/** More is a picture or a font. */
const MAX_BLOB = 20_000;
const MAX_BLOBS = 200;

/** What is run, and what makes code of text, in one script: the text may be anywhere in between. */
const RUNS = /\b(?:exec|eval|new Function)\s*\(/;
const DECODES =
  /\bb64decode\s*\(|\batob\s*\(|Buffer\.from\([^\n]{0,200}["'`](?:base64|hex)["'`]|\bunhexlify\s*\(|zlib\.decompress\s*\(/;
const SHELL_SOCKET = /\bsocket\.socket\b|require\(["']net["']\)/;
const SHELL_START = /os\.dup2\s*\(|pty\.spawn\s*\(|spawn\(["'](?:\/bin\/)?(?:ba)?sh["']/;

export function* checkBlobs({ texts }: LintSkill): Generator<Remark> {
  for (const text of texts) {
    yield* hiddenOrders(text);
    if (text.isMarkdown) continue;
    yield* together(text, RUNS, DECODES, "decode-and-run", "Decodes text and executes code in one script.");
    yield* together(
      text,
      SHELL_SOCKET,
      SHELL_START,
      "reverse-shell",
      "Connects a shell of this machine to a socket.",
    );
  }
}

function* hiddenOrders({ file, lines }: LintText): Generator<Remark> {
  let left = MAX_BLOBS;
  for (const [at, line] of lines.entries()) {
    for (const [blob] of line.matchAll(BLOB)) {
      if (blob.length > MAX_BLOB || left-- <= 0) continue;
      const decoded = Buffer.from(blob, "base64").toString("latin1");
      if (!PRINTABLE.test(decoded) || decoded.startsWith("<svg") || !ORDERS.test(decoded)) continue;
      const message = "Base64 text hides a command, an address or an instruction.";
      yield { rule: "decode-and-run", severity: "error", file, line: at + 1, message };
    }
  }
}

function* together(
  { file, lines }: LintText,
  one: RegExp,
  other: RegExp,
  rule: string,
  message: string,
): Generator<Remark> {
  const at = lines.findIndex((line) => one.test(line.slice(0, 2_000)));
  if (at === -1 || !lines.some((line) => other.test(line.slice(0, 2_000)))) return;
  yield { rule, severity: "warning", file, line: at + 1, message, subject: lines.join("\n") };
}
