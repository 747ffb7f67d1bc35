import { useEffect, useState } from "preact/hooks";
import { CopyButton } from "../look/copy-button.tsx";
import { highlight } from "./highlight.ts";
import "./code-block.css";

/** Text in a fixed font, coloured where the language is known, with its copy button. */
export function CodeBlock({
  text,
  language = "",
  label,
  wrap,
}: {
  readonly text: string;
  readonly language?: string;
  readonly label: string;
  readonly wrap?: boolean;
}) {
  const [markup, setMarkup] = useState<{ of: string; html: string }>();
  useEffect(() => {
    if (language === "") return;
    let isCurrent = true;
    void highlight(text, language).then((html) => isCurrent && html && setMarkup({ of: text, html }));
    return () => {
      isCurrent = false;
    };
  }, [text, language]);
  return (
    <figure class="code-block" aria-label={label}>
      <pre class={wrap ? "code-wrap" : ""} tabIndex={0}>
        {markup?.of === text ? (
          <code dangerouslySetInnerHTML={{ __html: markup.html }} />
        ) : (
          <code>{text}</code>
        )}
      </pre>
      <CopyButton text={text} name={`Copy ${label}`} />
    </figure>
  );
}
