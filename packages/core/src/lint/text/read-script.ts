import { type Block, type Passage, PLAIN, type Stance } from "./passage.ts";
import { pieces } from "./split-sentences.ts";
import { bothStances, stanceOf } from "./stance.ts";

const COMMENT = /^\s*(?:#(?!!)|\/\/|--|;|rem\b)\s*(.*)$/i;

/** Lines of code → commands: a line with its continuation lines. A comment above, or behind, says what it is. */
export function codePassages(lines: readonly string[], firstLine: number, around: Stance): Passage[] {
  const passages: Passage[] = [];
  let above = around;
  for (let at = 0; at < lines.length; at++) {
    const first = at;
    let text = lines[at] ?? "";
    while (text.endsWith("\\") && at + 1 < lines.length && text.length < 2_000)
      text = `${text.slice(0, -1)} ${(lines[++at] ?? "").trim()}`;
    const comment = COMMENT.exec(text.slice(0, 500))?.[1];
    if (comment !== undefined)
      above = comment.trim() === "" ? around : bothStances(around, stanceOf(comment));
    else if (text.trim() === "") above = around;
    const line = firstLine + first;
    for (const piece of pieces(text, 0, text.length))
      passages.push({ kind: "code", text: piece.text, line, around: above });
  }
  return passages;
}

/** A whole script as one block. */
export function scriptBlock(text: string, language: string): Block {
  return { language, text, line: 1, around: PLAIN };
}
