import { type Heading, plainHeading } from "../markdown/outline.ts";
import type { Finding } from "./finding.ts";

export interface WantedSection {
  readonly title: string;
  readonly level?: number;
}

/** The headings that must be there; `ordered`: in this order, whatever stands between them. */
export function checkSections(
  headings: readonly Heading[],
  given: readonly (string | WantedSection)[],
  ordered: boolean,
  lastLine: number,
): Finding[] {
  const findings: Finding[] = [];
  let after: Heading | undefined;
  for (const wanted of given.map(wantedSection)) {
    const matching = headings.filter((heading) => matches(heading, wanted));
    const found = matching.find(({ line }) => !ordered || !after || line > after.line);
    if (found) {
      after = found;
    } else if (matching[0] && after) {
      const message = `"${wanted.title}" must come after "${after.text}" (line ${after.line}).`;
      findings.push({ rule: "section_order", line: matching[0].line, message });
    } else findings.push(missing(headings, wanted, lastLine));
  }
  return findings;
}

/** "## Risks" is the same as { title: "Risks", level: 2 }. */
function wantedSection(given: string | WantedSection): WantedSection {
  if (typeof given !== "string") return { ...given, title: plainHeading(given.title) };
  const [, marks, title] = /^(#{1,6})[ \t]+(\S.*)$/.exec(given.trim()) ?? [];
  return marks && title
    ? { title: plainHeading(title), level: marks.length }
    : { title: plainHeading(given) };
}

function matches({ text, level }: Heading, wanted: WantedSection): boolean {
  return text === wanted.title && (wanted.level === undefined || wanted.level === level);
}

/** At the heading that was probably meant, at the end of the document otherwise. */
function missing(headings: readonly Heading[], { title, level }: WantedSection, lastLine: number): Finding {
  const near = headings.find(({ text }) => text.toLowerCase() === title.toLowerCase());
  if (!near) {
    const depth = level === undefined ? "" : ` of level ${level}`;
    return { rule: "section_missing", line: lastLine, message: `There is no heading "${title}"${depth}.` };
  }
  if (near.text !== title) {
    return { rule: "section_missing", line: near.line, message: `"${near.text}" must read "${title}".` };
  }
  const message = `"${title}" must be a heading of level ${level}; it has level ${near.level}.`;
  return { rule: "section_level", line: near.line, message };
}
