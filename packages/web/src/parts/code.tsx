import DOMPurify from "dompurify";
import { useEffect, useState } from "preact/hooks";
import { CopyButton } from "./look.tsx";
import "./code.css";

/** More than this takes too long to colour or to show, and nobody reads it. */
const MAX_CHARACTERS = 100_000;

/** Code as sanitised markup with colours; undefined where the language is unknown or the text too long. */
export async function highlight(text: string, language: string): Promise<string | undefined> {
  if (text.length > MAX_CHARACTERS) return undefined;
  // Without colours the text is the same: the server may be gone.
  const hljs = (await import("highlight.js/lib/common").catch(() => undefined))?.default;
  if (!hljs?.getLanguage(language)) return undefined;
  const { value } = hljs.highlight(text, { language, ignoreIllegals: true });
  return sanitised(value, { ALLOWED_TAGS: ["span"], ALLOWED_ATTR: ["class"] });
}

/** Trusted markup: DOMPurify has the one policy that the page allows. */
export function sanitised(markup: string, config: object): string {
  return DOMPurify.sanitize(markup, { ...config, RETURN_TRUSTED_TYPE: true }) as unknown as string;
}

/** The language of a file: the end of its name, most of which highlight.js knows. */
export function codeLanguage(path: string): string {
  const ending = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return ending === "jsonl" ? "json" : ending;
}

interface CodeBlockProps {
  readonly text: string;
  readonly language?: string;
  readonly label: string;
  readonly wrap?: boolean;
}

/** Text in a fixed font, coloured where the language is known, with its copy button. */
export function CodeBlock({ text, language = "", label, wrap }: CodeBlockProps) {
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
    <figure class="code-block box" aria-label={label}>
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

/** How a line is coloured, by its first letter, and what a screen reader says before it. */
const KINDS: Readonly<Record<string, readonly [look: string, words?: string]>> = {
  "+": ["means-done", "Added: "],
  "-": ["means-failed", "Removed: "],
  "@": ["quiet"],
  "\\": ["quiet"],
};
/** More lines make the page slow; the whole is in the file. */
const MAX_LINES = 3_000;

/** A unified diff, as `diff -u` and git write it. */
export function Diff({ text, label }: { text: string; label: string }) {
  const lines = text.replace(/\n$/, "").split("\n");
  return (
    <figure class="diff box" aria-label={label}>
      <pre tabIndex={0}>
        {lines.slice(0, MAX_LINES).map((line, place) => {
          const isFile = /^(?:---|\+\+\+) /.test(line);
          const [look = "", words] = isFile ? ["quiet"] : (KINDS[line[0] ?? ""] ?? []);
          return (
            <span key={place} class={`diff-line ${look}`}>
              <span class="hidden-name">{words}</span>
              {line || " "}
              {"\n"}
            </span>
          );
        })}
      </pre>
      {lines.length > MAX_LINES && <p class="quiet small">The first {MAX_LINES} lines.</p>}
    </figure>
  );
}

/** A value as JSON to look at; the end of a very long one is left out. */
export function shownJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? "";
  return text.length > MAX_CHARACTERS
    ? `${text.slice(0, MAX_CHARACTERS)}\n… ${text.length - MAX_CHARACTERS} more characters`
    : text;
}
