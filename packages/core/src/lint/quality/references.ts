import { posix } from "node:path";
import { shorten } from "../../shared/quote.ts";
import type { Remark } from "../finding.ts";
import type { LintSkill } from "../lint-skill-input.ts";
import { linksOf } from "../text/links.ts";

/** A path in inline code that can only mean a file of the skill. */
const MENTIONED = /`(?:\.\/)?((?:scripts|references|assets|templates)\/[\w./-]{1,200}\.\w{1,8})`/g;

/** Links and paths that lead to nothing. */
export function* checkReferences({ texts, files }: LintSkill): Generator<Remark> {
  const folders = new Set([...files].flatMap((file) => foldersOf(file)));
  const exists = (path: string): boolean =>
    path === "SKILL.md" || files.has(path) || folders.has(path.replace(/\/$/, ""));
  for (const text of texts.filter(({ isMarkdown }) => isMarkdown)) {
    const missing = new Map<string, number>();
    const look = (target: string, base: string, line: number): void => {
      const place = posix.normalize(posix.join(base, target));
      if (place.startsWith("../") || place === ".." || target.startsWith("/") || target.startsWith("~"))
        return;
      if (!exists(place) && !missing.has(target)) missing.set(target, line);
    };
    for (const { target, line } of linksOf(text)) look(target, posix.dirname(text.file), line);
    if (text.file === "SKILL.md")
      for (const { kind, text: words, line } of text.passages)
        if (kind === "prose") for (const [, path = ""] of words.matchAll(MENTIONED)) look(path, ".", line);
    for (const [target, line] of missing) {
      const message = `${shorten(target)} is not in the skill's folder.`;
      yield { rule: "missing-file", severity: "warning", file: text.file, line, message };
    }
  }
}

function foldersOf(file: string): string[] {
  const parts = file.split("/").slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}
