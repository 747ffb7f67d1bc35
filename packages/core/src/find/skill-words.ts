import { tokenize } from "./tokenize.ts";

/** The words of one skill by field, from the most telling to the least. */
export type SkillWords = readonly [name: string[], description: string[], headings: string[], body: string[]];

export const FIELD_COUNT = 4;

/** Beyond this much text a body is data; what it is about has been said. */
const MAX_BODY = 64 * 1024;

export function skillWords(name: string, description: string, body: string): SkillWords {
  const { headings, text } = splitHeadings(body.slice(0, MAX_BODY));
  return [tokenize(name), tokenize(description), tokenize(headings), tokenize(text)];
}

/** Lines that begin with `#` outside of code fences, where `#` would be a comment. */
function splitHeadings(body: string): { headings: string; text: string } {
  const headings: string[] = [];
  const text: string[] = [];
  let fence = "";
  for (const line of body.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    if (mark !== "" && (fence === "" || mark.startsWith(fence))) fence = fence === "" ? mark : "";
    const heading = fence === "" ? /^ {0,3}#{1,6}[ \t]+(.*)$/.exec(line) : null;
    if (heading) headings.push(heading[1] ?? "");
    else text.push(line);
  }
  return { headings: headings.join("\n"), text: text.join("\n") };
}
