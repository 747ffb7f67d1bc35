import type { Finding } from "./finding.ts";

const BARE_FENCE = /^([\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?:`{3,}|~{3,}))([ \t]*\r?)$/;
const LONE_SUPPRESSION = /^\s*<!--\s*knack-lint-disable[^>]*-->\s*$/;

/** A file's text with the one safe remedy of each fixable finding; every other byte stays. */
export function fixText(text: string, findings: readonly Finding[]): { text: string; fixed: number } {
  const lines = text.split("\n");
  const removed = new Set<number>();
  let fixed = 0;
  for (const { rule, line } of findings) {
    if (line === undefined) continue;
    const at = line - 1;
    const found = lines[at] ?? "";
    const fence = rule === "unlabelled-commands" ? BARE_FENCE.exec(found) : null;
    if (fence) lines[at] = `${fence[1]}bash${fence[2]}`;
    else if (rule === "unused-suppression" && LONE_SUPPRESSION.test(found)) removed.add(at);
    else continue;
    fixed++;
  }
  return { text: lines.filter((_, at) => !removed.has(at)).join("\n"), fixed };
}
