import { posix, relative, sep } from "node:path";
import { quote, shorten } from "../../shared/quote.ts";
import { findHidden, mayHide } from "../../skill/hidden-text.ts";
import type { LintSeverity, Remark } from "../finding.ts";
import { type LintText, lineOfKey, localLinkTargets } from "../lint-text.ts";
import type { LintSkill } from "../read-lint-skill.ts";

export const FILE_CHECKS = [checkHidden, checkBlobs, checkGrantedTools, checkLinksOut, checkExecutables];

/** Files that no skill has a reason to point at. */
const SENSITIVE =
  /(?:^|\/)(?:etc\/(?:passwd|shadow|sudoers)|\.ssh\/|\.aws\/|\.gnupg\/|\.netrc$|id_(?:rsa|ed25519)|\.kube\/config)/;

function* checkLinksOut({ texts, faults, dir }: LintSkill): Generator<Remark> {
  for (const { path, fault } of faults) {
    if (fault.fault !== "PATH_ESCAPE") continue;
    const file = relative(dir, path).split(sep).join("/");
    const message = "A symbolic link leads out of the skill's folder.";
    yield { rule: "link-outside", severity: "error", file, message };
  }
  for (const text of texts.filter(({ isMarkdown }) => isMarkdown)) {
    for (const { target, line } of localLinkTargets(text)) {
      const place = posix.normalize(posix.join(posix.dirname(text.file), target));
      const isOut = target.startsWith("/") || target.startsWith("~") || place.startsWith("../");
      if (!isOut) continue;
      const severity = SENSITIVE.test(target) ? "error" : "note";
      const message = `The link ${shorten(target)} leads out of the skill's folder.`;
      yield { rule: "link-outside", severity, file: text.file, line, message };
    }
  }
}

function* checkExecutables({ executables, unread }: LintSkill): Generator<Remark> {
  for (const { file, isBinary, digest } of executables) {
    const found = { rule: "executable-file", file, subject: digest };
    if (isBinary)
      yield { ...found, severity: "warning", message: "A compiled program, which nobody can read." };
    else yield { ...found, severity: "note", message: "A file that can be executed; read it before use." };
  }
  for (const { file, reason } of unread) {
    const message = `Not checked as a whole: ${reason}.`;
    yield { rule: "unchecked-file", severity: "warning", file, message };
  }
}

/** A grant of everything, or of a program that runs everything. */
const EVERYTHING = /^(?:\*|all|mcp__\*|(?:Bash|Shell|WebFetch|run_shell_command)\(\s*(?:\*|:\*)\s*\))$/i;
const ANY_COMMAND =
  /^(?:Bash|Shell)\(\s*(?:sudo|su|doas|(?:ba|z|da)?sh|eval|exec|xargs|env|powershell|cmd)(?:\s+-\S+)?\s*(?::?\s*\*)\s*\)$/i;
const INTERPRETER =
  /^(?:Bash|Shell)(?:$|\(\s*(?:python[23]?|node|perl|ruby|php|deno|bun|npx|curl|wget|ssh|docker|rm)\s*:?\s*\*\s*\)$)/i;

/** `allowed-tools` that allow more than a skill can need. */
function* checkGrantedTools({ reading, texts }: LintSkill): Generator<Remark> {
  const line = lineOfKey(texts, /^allowed-tools/);
  for (const tool of reading.facts?.allowedTools ?? []) {
    const severity = severityOf(tool.trim());
    if (severity === undefined) continue;
    const message = `"allowed-tools" grants ${quote(tool)}, which lets the skill run nearly anything.`;
    yield { rule: "broad-tools", severity, file: "SKILL.md", line, message };
  }
}

function severityOf(tool: string): LintSeverity | undefined {
  if (EVERYTHING.test(tool) || ANY_COMMAND.test(tool)) return "warning";
  return INTERPRETER.test(tool) ? "note" : undefined;
}

/** A lone invisible character comes from copying; these can carry words, or show other words than a model reads. */
const CARRIES = /tag characters|variation selectors|direction override/;
const RUN = /[\u200b-\u200d\u2060\ufeff]{3,}/;

/** Somebody who reads the rendered page does not see a comment; these speak to the model. */
const ADDRESSES =
  /^\s*(?:\W*)(?:note|message|instructions?)? ?(?:to|for)? ?(?:the |all |any )?(?:AI|agents?|assistants?|claude|codex|gemini|copilot|model|LLM|GPT|system)\b[^\n]{0,20}[:：,]|\b(?:AI|the (?:agent|assistant|model)) (?:should|must|shall|will)\b|AI\s?(?:助手|へ|向け|エージェント)|智能体[:：]|アシスタント(?:へ|[:：])/i;
const ORDERS =
  /\b(?:run|execute|open|send|include|install|ignore|must|always|never|download|delete|upload|call|fetch)\b|执行|运行|发送|忽略|打开|実行|送信|無視|開/i;

/** CSS and attributes that hide an element. */
const UNSEEN =
  /style\s*=\s*["'][^"']{0,80}(?:display:\s*none|visibility:\s*hidden|font-size:\s*0|color:\s*(?:white|#fff|transparent))[^>]{0,80}>\s*(.{3,})/i;

function* checkHidden({ texts }: LintSkill): Generator<Remark> {
  for (const text of texts) {
    // A mark at the very start says how the file is encoded.
    const seen = text.text.startsWith("\ufeff") ? text.text.slice(1) : text.text;
    if (mayHide(seen)) {
      for (const { message, line } of findHidden(seen, 1)) {
        const isRun = line !== undefined && RUN.test(text.lines[line - 1] ?? "");
        const severity: LintSeverity = CARRIES.test(message) || isRun ? "error" : "note";
        yield { rule: "hidden-text", severity, file: text.file, line, message };
      }
    }
    for (const { kind, text: words, line } of text.passages) {
      const unseen = kind === "prose" ? UNSEEN.exec(words)?.[1] : undefined;
      if (unseen !== undefined && ADDRESSES.test(unseen) && ORDERS.test(unseen)) {
        const message = "Text that a page does not show gives the model orders.";
        yield { rule: "hidden-text", severity: "warning", file: text.file, line, message, subject: words };
      }
      if (kind !== "comment" || !ADDRESSES.test(words) || !ORDERS.test(words)) continue;
      const message = "A comment that is not shown gives the model orders.";
      yield { rule: "hidden-text", severity: "warning", file: text.file, line, message };
    }
  }
}

const BLOB = /[A-Za-z0-9+/]{24,}={0,2}/g;
/** What a text has no reason to hide. */
const HIDDEN_ORDERS =
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

function* checkBlobs({ texts }: LintSkill): Generator<Remark> {
  for (const text of texts) {
    yield* hiddenOrders(text);
    if (text.isMarkdown) continue;
    yield* together(text, RUNS, DECODES, "decode-and-run", "Decodes text and executes code in one script.");
    const shell = "Connects a shell of this machine to a socket.";
    yield* together(text, SHELL_SOCKET, SHELL_START, "reverse-shell", shell);
  }
}

function* hiddenOrders({ file, lines }: LintText): Generator<Remark> {
  let left = MAX_BLOBS;
  for (const [at, line] of lines.entries()) {
    for (const [blob] of line.matchAll(BLOB)) {
      if (blob.length > MAX_BLOB || left-- <= 0) continue;
      const decoded = Buffer.from(blob, "base64").toString("latin1");
      if (!PRINTABLE.test(decoded) || decoded.startsWith("<svg") || !HIDDEN_ORDERS.test(decoded)) continue;
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
