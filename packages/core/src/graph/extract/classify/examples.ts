/** Text that stands in a skill without being said by it: examples, templates, markup. */

const EXAMPLE =
  /\b(?:examples?|templates?|samples?|anti-?patterns?|boilerplate|red flags|rationalizations?)\b|^\W*(?:(?:an?|the|this)\s+)?(?:bad|good|wrong|poor)\b|✅|❌|範例|示例|例子|模板|反模式|サンプル|テンプレート|アンチパターン|^例[:：]?$/i;
const TEMPLATE_LEAD =
  /\b(?:templates?|headers?|outputs?|formats?|write|include|paste|copy|respond|reply|say|announce|messages?|prompts?|tell|starts? with|begins? with|report|looks? like|as in)\b|模板|範本|テンプレート|以下の形式|格式/i;
const EXAMPLE_TAG =
  /^(?:good|bad|examples?|template|sample|output|commentary|blockquote|details|pre|code|q)$/i;

/** A heading or a lead-in under which there are only examples. */
export function isExample(text: string): boolean {
  return text.length < 120 && EXAMPLE.test(text);
}

/** A lead-in to a quotation that is to be written somewhere else. */
export function isTemplateLead(text: string): boolean {
  return TEMPLATE_LEAD.test(text) || isExample(text);
}

/** A sentence that shows how something looks. */
export function isShown(sentence: string): boolean {
  return /^[\s|*-]*[❌✗✘🚫]|(?<!\b(?:if|when|whenever|whatever|what|as|once|until|unless)\s(?:the\s|an?\s|your\s)?)\b(?:people|users?|others?|someone|they)\s+(?:(?:may|might|will|often|sometimes)\s+)?(?:say|think|believe|claim|assume)s?\b|^\W*(?:good|bad|examples?|wrong|right|correct|incorrect|例)\s*(?:\([^)]*\)\s*)?[:：]|\bused to (?:say|tell|ask|require|think|be|have)\b/iu.test(
    sentence,
  );
}

/** "e.g. ", "for example" before a name, and not in brackets that are closed again. */
export function isInstance(before: string): boolean {
  return /(?:\be\.g\.|\bfor example\b|\bfor instance\b|例えば|例如|比如)[^)）]*$/i.test(before);
}

const TAG = /<(\/?)([A-Za-z][\w-]{0,60})(?:\s[^<>]{0,300})?(\/?)>/g;

/**
 * What a reader sees of an HTML block, by paragraphs: tags such as `<IMPORTANT>` only frame what a skill says. Keeps in
 * `open` which tags of examples are open, because a blank line ends the block and not the tag.
 */
export function visibleHtml(html: string, open: string[]): { raw: string; line: number }[] {
  // The comment may stay open to the end of the block.
  const said = html.replace(/<!--[\s\S]*?(?:-->|$)/g, (comment) => comment.replaceAll(/[^\n]/g, ""));
  const shown: { raw: string; line: number }[] = [];
  let at = 0;
  let line = 0;
  const tell = (end: number): void => {
    const raw = said.slice(at, end);
    const blank = /^\s*/.exec(raw)?.[0] ?? "";
    if (raw.trim() !== "" && open.length === 0)
      shown.push({ raw: raw.trim(), line: line + blank.split("\n").length - 1 });
    line += raw.split("\n").length - 1;
  };
  for (const match of said.matchAll(TAG)) {
    const [tag, closing, name = "", selfClosing] = match;
    tell(match.index);
    at = match.index + tag.length;
    line += tag.split("\n").length - 1;
    if (!EXAMPLE_TAG.test(name) || selfClosing) continue;
    const key = name.toLowerCase();
    if (!closing) open.push(key);
    else if (open.includes(key)) open.splice(open.lastIndexOf(key), 1);
  }
  tell(said.length);
  return shown;
}
