/**
 * Divides the main part of a Word document into documents of about this many characters, each with some of the body's children
 * and all of its namespaces. What reads them builds a tree that takes seventy times their size, so it gets one at a time.
 * `null` where no body is found; whoever reads the whole then says what is wrong with it.
 */
export function splitBody(xml: string, maxChars: number): string[] | null {
  const pieces: string[] = [];
  let depth = 0;
  let root = "";
  let body = "";
  let start = -1;
  for (const { at, end, kind } of tags(xml)) {
    if (kind === "close") depth--;
    if (depth === 0 && kind === "open") root = xml.slice(at, end);
    else if (depth === 1 && kind === "open" && /^<(?:\w+:)?body[\s>]/.test(xml.slice(at, at + 64))) {
      body = xml.slice(at, end);
      start = end;
    } else if (start !== -1 && depth === 2 && kind !== "open" && end - start >= maxChars) {
      // A paragraph whose mark was deleted is read together with the next one.
      if (isWhole(xml, start, end)) {
        pieces.push(xml.slice(start, end));
        start = end;
      }
    } else if (start !== -1 && depth === 1 && kind === "close") {
      pieces.push(xml.slice(start, at));
      const ends = `${endTag(body)}${endTag(root)}`;
      return pieces.map((piece) => `${root}${body}${piece}${ends}`);
    }
    if (kind === "open") depth++;
  }
  return null;
}

/** Whether the last child says nothing of deletions. */
function isWhole(xml: string, start: number, end: number): boolean {
  const last = xml.lastIndexOf("<w:p ", end - 1);
  const child = Math.max(start, last, xml.lastIndexOf("<w:p>", end - 1));
  return !xml.slice(child, end).includes("<w:del");
}

function endTag(startTag: string): string {
  return `</${/^<([^\s/>]+)/.exec(startTag)?.[1] ?? ""}>`;
}

interface Tag {
  readonly at: number;
  readonly end: number;
  readonly kind: "open" | "close" | "empty";
}

/** The tags of a text in XML, each character looked at once; an end is missing where the text is broken. */
function* tags(xml: string): Generator<Tag> {
  for (let at = xml.indexOf("<"); at !== -1; ) {
    const next = xml[at + 1];
    let end: number;
    if (xml.startsWith("<!--", at)) end = xml.indexOf("-->", at + 4) + 3;
    else if (xml.startsWith("<![CDATA[", at)) end = xml.indexOf("]]>", at + 9) + 3;
    else if (next === "?") end = xml.indexOf("?>", at + 2) + 2;
    else {
      end = endOfTag(xml, at);
      if (end === 0) return;
      const kind = next === "/" ? "close" : xml[end - 2] === "/" || next === "!" ? "empty" : "open";
      yield { at, end, kind };
    }
    if (end <= at) return;
    at = xml.indexOf("<", end);
  }
}

/** Behind its `>`, which may also stand in the value of an attribute; 0 where there is none. */
function endOfTag(xml: string, from: number): number {
  let quote = "";
  for (let at = from + 1; at < xml.length; at++) {
    const char = xml[at] ?? "";
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === ">") return at + 1;
    else if (char === '"' || char === "'") quote = char;
  }
  return 0;
}
