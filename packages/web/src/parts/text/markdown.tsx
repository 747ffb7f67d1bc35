import { useEffect, useMemo, useRef } from "preact/hooks";
import { size } from "../look/words.tsx";
import { highlight } from "./highlight.ts";
import { renderedPart, renderMarkdown } from "./render-markdown.ts";
import "./markdown.css";

const NO_LINKS = (): undefined => undefined;

/** Untrusted Markdown, sanitised; code is coloured when it comes into view. */
export function Markdown({
  text,
  linkTo = NO_LINKS,
}: {
  readonly text: string;
  readonly linkTo?: (path: string) => string | undefined;
}) {
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
