import MarkdownIt from "markdown-it";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { highlight, sanitised } from "./code.tsx";
import { size } from "./look.tsx";
import "./code.css";

/** A longer text, or one with more elements, would block the page; its beginning is shown. */
const MAX_RENDERED = 100_000;
const MAX_ELEMENTS = 4_000;

const TAGS = [
  ...["h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "blockquote", "pre", "code", "ul", "ol", "li"],
  ...["em", "strong", "s", "a", "table", "thead", "tbody", "tr", "th", "td", "span", "div"],
];

// Markup in the text stays text: the reader sees it, comments and hidden parts included, as the model does.
const parser = new MarkdownIt({ html: false, linkify: false });

// A picture would be a request; its words and its address say what it is.
parser.renderer.rules.image = (tokens, index) => {
  const { content = "", attrGet } = tokens[index] ?? {};
  const source = attrGet ? tokens[index]?.attrGet("src") : "";
  return `<span class="markdown-picture">${parser.utils.escapeHtml(`${content || "picture"} (${source})`)}</span>`;
};
parser.renderer.rules.table_open = () => '<div class="table-box"><table class="table">';
parser.renderer.rules.table_close = () => "</table></div>";

/** The beginning of a text that the page can show without a pause. */
export function renderedPart(text: string): string {
  let part = text.slice(0, MAX_RENDERED);
  for (;;) {
    const tokens = parser.parse(part, {});
    const elements = tokens.reduce((sum, { children }) => sum + 1 + (children?.length ?? 0), 0);
    if (elements <= MAX_ELEMENTS * 2) return part;
    // Elements are spread evenly enough: cut to the share that is allowed, and a little more to come to an end.
    part = part.slice(0, Math.floor((part.length * MAX_ELEMENTS * 1.8) / elements));
  }
}

/**
 * Markdown as sanitised markup without scripts, styles, pictures or other places to load from. `linkTo` says where a
 * relative link goes; undefined makes it plain text.
 */
function renderMarkdown(text: string, linkTo: (path: string) => string | undefined): string {
  const tokens = parser.parse(text, {});
  for (const token of tokens.flatMap((one) => one.children ?? []))
    if (token.type === "link_open") {
      const target = String(token.attrGet("href") ?? "");
      const address = /^https?:\/\//i.test(target) ? target : linkTo(target);
      token.attrSet("href", address ?? "");
      if (address === target) {
        token.attrSet("target", "_blank");
        token.attrSet("rel", "noopener noreferrer");
      }
    }
  const markup = parser.renderer.render(tokens, parser.options, {});
  return sanitised(markup, { ALLOWED_TAGS: TAGS, ALLOWED_ATTR: ["href", "target", "rel", "class", "start"] });
}

const NO_LINKS = (): undefined => undefined;

interface MarkdownProps {
  readonly text: string;
  readonly linkTo?: (path: string) => string | undefined;
}

/** Untrusted Markdown, sanitised; code is coloured when it comes into view. */
export function Markdown({ text, linkTo = NO_LINKS }: MarkdownProps) {
  const box = useRef<HTMLDivElement>(null);
  const part = useMemo(() => renderedPart(text), [text]);
  const html = useMemo(() => renderMarkdown(part, linkTo), [part]);
  useEffect(() => {
    const watch = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        watch.unobserve(target);
        const language = /\blanguage-([\w+#-]+)/.exec(target.className)?.[1] ?? "";
        void highlight(target.textContent ?? "", language).then((colours) => {
          if (colours) target.innerHTML = colours;
        });
      }
    });
    for (const code of box.current?.querySelectorAll("pre > code[class]") ?? []) watch.observe(code);
    return () => watch.disconnect();
  }, [html]);
  return (
    <div class="markdown">
      <div ref={box} dangerouslySetInnerHTML={{ __html: html }} />
      {part.length < text.length && (
        <p class="quiet">
          Only the first {size(part.length)} are shown here; open the file to see all of it.
        </p>
      )}
    </div>
  );
}
