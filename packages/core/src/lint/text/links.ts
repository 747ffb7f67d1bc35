import type { LintText } from "./passage.ts";

const LINK = /\]\(\s*<?([^)\s>]{1,500})>?(?:\s+"[^"\n]{0,200}")?\s*\)/g;
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|#|\/\/|\$|\{|<)/i;

/** Local targets of a Markdown text's links, outside of code, without fragment and query. */
export function* linksOf({ passages }: LintText): Generator<{ target: string; line: number }> {
  for (const { kind, text, line } of passages) {
    if (kind !== "prose" || !text.includes("](")) continue;
    for (const [, given = ""] of withoutInlineCode(text).matchAll(LINK)) {
      const target = given.split(/[#?]/, 1)[0] ?? "";
      if (target !== "" && !ELSEWHERE.test(given)) yield { target: decoded(target), line };
    }
  }
}

function withoutInlineCode(text: string): string {
  return text.replaceAll(/`[^`\n]{1,400}`/g, (code) => " ".repeat(code.length));
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch (error) {
    if (error instanceof URIError) return target;
    throw error;
  }
}
