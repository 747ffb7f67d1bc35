import type { Remark } from "../finding.ts";
import type { LintSkill } from "../lint-skill-input.ts";
import type { Block, LintText } from "../text/passage.ts";
import { KNOWN_INSTALLER, UNNAMED_SOURCE } from "./commands.ts";

const SAVED =
  /\b(?:curl|wget)\b[^\n|;&]{0,300}?\s(?:-o|-O|--output|--output-document)[\s=]+["']?([\w./~$-]{2,120})/;
const SAVED_BY_NAME =
  /\b(?:wget\s+(?:-q\s+)?|curl\s+-\w*O\w*\s+)["']?https?:\/\/[^\s"']{1,200}\/([\w.-]{2,80})["']?(?=\s|$|;|&)/;
/** Somebody looks at it, or its digest is compared. */
const CHECKED =
  /\b(?:sha\d+sum|shasum|gpg\s+--verify|cosign|minisign|openssl\s+dgst|less|Get-FileHash|codesign)\b/;
const MAX_BLOCK = 100_000;

/** A file that is downloaded and then executed, in the same block: `curl … | sh` in two steps. */
export function* checkDownloads({ texts }: LintSkill): Generator<Remark> {
  for (const text of texts) for (const block of text.blocks) yield* ofBlock(text, block);
  for (const text of texts.filter(({ isMarkdown }) => !isMarkdown)) yield* ofScript(text);
}

function* ofBlock(text: LintText, { text: code, line, around }: Block): Generator<Remark> {
  if (code.length > MAX_BLOCK || CHECKED.test(code)) return;
  const lines = code.split("\n").map((one) => one.slice(0, 2_000));
  for (const [at, download] of lines.entries()) {
    const saved = (SAVED.exec(download) ?? SAVED_BY_NAME.exec(download))?.[1];
    if (saved === undefined || KNOWN_INSTALLER.test(download)) continue;
    const name = saved.replaceAll(/[.$]/g, "\\$&");
    const runs = new RegExp(
      String.raw`(?:^|[;&|]\s*|\bsudo\s+)(?:(?:ba|z|da)?sh|source|\.|python3?|node|perl|ruby)\s+(?:-\w+\s+)?["']?(?:\./)?${name}(?=["'\s;&|]|$)`,
    );
    if (!lines.slice(at, at + 20).some((one) => runs.test(one))) continue;
    const severity = UNNAMED_SOURCE.test(download) ? "error" : "warning";
    const isLowered = around.describes || around.negates || around.consents;
    const message = "Downloads a script and runs it, before anybody can read it.";
    const found = { rule: "pipe-to-shell", file: text.file, line: line + at, message, subject: code };
    yield { ...found, severity: isLowered ? "note" : severity };
  }
}

const DOWNLOADS =
  /\burlretrieve\s*\(|\burlopen\s*\(|\brequests\.get\s*\(|\bhttps?\.get\s*\(|\bfetch\s*\(|\bDownloadFile\s*\(/;
const MAKES_PROGRAM = /chmod\s+(?:\+x|[0-7]*7[0-7]*)|chmod(?:Sync)?\s*\([^\n]{0,80}0o?7/;
const STARTS =
  /\bos\.system\s*\(|\bsubprocess\.\w+\s*\(|\bexec(?:File)?(?:Sync)?\s*\(|\bspawn(?:Sync)?\s*\(|\bos\.exec\w*\s*\(/;

function* ofScript({ file, lines }: LintText): Generator<Remark> {
  const short = lines.map((line) => line.slice(0, 2_000));
  const at = short.findIndex((line) => DOWNLOADS.test(line));
  if (at === -1 || ![MAKES_PROGRAM, STARTS].every((part) => short.some((line) => part.test(line)))) return;
  const message = "Downloads a program, makes it executable and starts it.";
  yield {
    rule: "pipe-to-shell",
    severity: "warning",
    file,
    line: at + 1,
    message,
    subject: short.join("\n"),
  };
}
