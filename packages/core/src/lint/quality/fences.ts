import type { Remark } from "../finding.ts";
import type { LintSkill } from "../lint-skill-input.ts";
import type { Block, LintText } from "../text/passage.ts";

/** Programs with which a command in a skill begins as a rule. */
const COMMAND =
  /^\s*(?:\$\s+)?(?:(?:sudo|npx|npm|pnpm|yarn|bun|node|deno|python3?|pip3?|uv|uvx|git|gh|curl|wget|docker|kubectl|helm|terraform|aws|gcloud|az|cargo|go|make|cmake|brew|apt|apt-get|dnf|cd|ls|cat|cp|mv|rm|mkdir|chmod|export|echo|ssh|scp|rsync|tar|find|grep|sed|awk|jq|ffmpeg|psql|sqlite3|dotnet|mvn|gradle|\.\/gradlew|php|composer|ruby|bundle|rails|knack)\s+[\w./~$"'@<{-])/;

/** Whether a fence without a language holds commands: each line is one, a remark, or the rest of one. */
function isUnlabelledCommand({ language, text }: Block): boolean {
  if (language !== "") return false;
  const lines = text.split("\n", 200).filter((line) => line.trim() !== "");
  const commands = lines.filter((line) => COMMAND.test(line.slice(0, 300)));
  return (
    commands.length > 0 &&
    lines.every((line) => COMMAND.test(line.slice(0, 300)) || /^\s*#|^\s+\S|^\s*--/.test(line))
  );
}

/** The line of a fence, from 1, or nothing for indented code, which has none. */
function fenceLine({ line }: Block, { lines }: LintText): number | undefined {
  return /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?:`{3,}|~{3,})\s*$/.test(lines[line - 2] ?? "")
    ? line - 1
    : undefined;
}

export function* checkFences({ texts }: LintSkill): Generator<Remark> {
  for (const text of texts.filter(({ isMarkdown }) => isMarkdown)) {
    for (const block of text.blocks) {
      const line = fenceLine(block, text);
      if (line === undefined || !isUnlabelledCommand(block)) continue;
      const message = "Code with commands has no language.";
      yield { rule: "unlabelled-commands", severity: "note", file: text.file, line, message };
    }
  }
}
