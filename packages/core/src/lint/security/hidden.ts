import { findHidden, mayHide } from "../../skill/hidden-text.ts";
import type { LintSeverity, Remark } from "../finding.ts";
import type { LintSkill } from "../lint-skill-input.ts";

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

export function* checkHidden({ texts }: LintSkill): Generator<Remark> {
  for (const text of texts) {
    // A mark at the very start says how the file is encoded.
    const seen = text.text.startsWith("\ufeff") ? text.text.slice(1) : text.text;
    if (mayHide(seen)) {
      for (const { message, line } of findHidden(seen, 1)) {
        const isRun = line !== undefined && RUN.test(text.lines[line - 1] ?? "");
        const severity: LintSeverity = CARRIES.test(message) || isRun ? "error" : "note";
        yield {
          rule: "hidden-text",
          severity,
          file: text.file,
          message,
          ...(line === undefined ? {} : { line }),
        };
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
