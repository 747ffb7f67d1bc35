import type { Lexicon } from "../lexicon/lexicon.ts";

const TAG = /<(\/?)([A-Za-z][\w-]{0,60})(?:\s[^<>]{0,300})?(\/?)>/g;

/**
 * The visible text of an HTML block, by paragraphs: tags such as `<IMPORTANT>` only frame what a skill says. Keeps open
 * example tags in `open`, because a blank line ends the block but not the tag.
 */
export function visibleHtml(html: string, open: string[], lexicon: Lexicon): { raw: string; line: number }[] {
  // The comment may stay open to the end of the block.
  const said = html.replace(/<!--[\s\S]*?(?:-->|$)/g, (comment) => comment.replaceAll(/[^\n]/g, ""));
  const shown: { raw: string; line: number }[] = [];
  let at = 0;
  let line = 0;
  const addUntil = (end: number): void => {
    const raw = said.slice(at, end);
    const blank = /^\s*/.exec(raw)?.[0] ?? "";
    if (raw.trim() !== "" && open.length === 0)
      shown.push({ raw: raw.trim(), line: line + blank.split("\n").length - 1 });
    line += raw.split("\n").length - 1;
  };
  for (const match of said.matchAll(TAG)) {
    const [tag, closing, name = "", selfClosing] = match;
    addUntil(match.index);
    at = match.index + tag.length;
    line += tag.split("\n").length - 1;
    if (selfClosing || !lexicon.says("example-tag", name)) continue;
    const key = name.toLowerCase();
    if (!closing) open.push(key);
    else if (open.includes(key)) open.splice(open.lastIndexOf(key), 1);
  }
  addUntil(said.length);
  return shown;
}
