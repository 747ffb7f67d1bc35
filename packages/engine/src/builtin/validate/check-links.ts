import { anchorsOf } from "../markdown/anchors.ts";
import { type Link, linksIn } from "../markdown/links.ts";
import type { Outline } from "../markdown/outline.ts";
import type { Finding } from "./finding.ts";

/**
 * What can be known of links from the document alone: other files are not inputs of the run, so that a relative link
 * leads somewhere is not checked, only that it is well formed.
 */
export function checkLinks(outline: Outline, firstLine: number): Finding[] {
  const { ids, duplicates } = anchorsOf(outline, firstLine);
  const links = linksIn(outline.prose, firstLine);
  const defined = new Set(links.filter(({ kind }) => kind === "definition").map(({ text }) => text));
  const findings: Finding[] = duplicates.map(({ id, line }) => ({
    rule: "link_duplicate_id",
    line,
    message: `The id "${clip(id)}" is given twice.`,
  }));
  for (const link of links) {
    const problem = problemOf(link, ids, defined);
    if (problem) findings.push({ rule: problem[0], line: link.line, message: problem[1] });
  }
  return findings;
}

function problemOf(
  { kind, target, text, image }: Link,
  ids: ReadonlySet<string>,
  defined: ReadonlySet<string>,
): readonly [rule: string, message: string] | undefined {
  const name = `${image ? "picture" : "link"} "${clip(text)}"`;
  if (kind === "unclosed") return ["link_unclosed", `The ${name} is never closed; add ")".`];
  if (kind === "reference") {
    if (defined.has(target)) return undefined;
    return ["link_reference", `The ${name} refers to [${clip(target)}], which is not defined.`];
  }
  if (target === "") return ["link_empty", `The ${name} has no target.`];
  if (target.startsWith("#")) {
    if (target === "#top" || ids.has(decoded(target.slice(1)) ?? "")) return undefined;
    return ["link_anchor", `The ${name} points to "${clip(target)}", but no heading or id has that name.`];
  }
  if (isWellFormed(target)) return undefined;
  return ["link_malformed", `The ${name} points to "${clip(target)}", which is not a well-formed address.`];
}

function isWellFormed(target: string): boolean {
  if (/[\s<>]/.test(target) || decoded(target) === undefined) return false;
  return /^[a-z][a-z0-9+.-]*:/i.test(target) ? URL.canParse(target) : URL.canParse(target, "file:///");
}

/** `undefined` where a % is not followed by what it must be. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function clip(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…`.toWellFormed() : text;
}
