import DOMPurify from "dompurify";
import { useEffect, useState } from "preact/hooks";
import { CopyButton } from "./look.tsx";
import "./code.css";

/** More than this takes too long to colour, and nobody reads it. */
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

const LANGUAGES: Readonly<Record<string, string>> = {
  bash: "bash",
  c: "c",
  cpp: "cpp",
  css: "css",
  go: "go",
  html: "xml",
  java: "java",
  js: "javascript",
  json: "json",
  jsonl: "json",
  jsx: "javascript",
  kt: "kotlin",
  lua: "lua",
  md: "markdown",
  mjs: "javascript",
  php: "php",
  pl: "perl",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "bash",
  sql: "sql",
  swift: "swift",
  toml: "ini",
  ts: "typescript",
  tsx: "typescript",
  xml: "xml",
  yaml: "yaml",
  yml: "yaml",
  zsh: "bash",
};

/** The language of a file, by its name. */
export function languageOf(path: string): string {
  return LANGUAGES[path.slice(path.lastIndexOf(".") + 1).toLowerCase()] ?? "";
}

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

const KINDS: Readonly<Record<string, string>> = { "+": "add", "-": "drop", "@": "place", "\\": "place" };
const WORDS: Readonly<Record<string, string>> = { add: "Added: ", drop: "Removed: " };
/** More lines make the page slow; the whole is in the file. */
const MAX_LINES = 3_000;

/** A unified diff, as `diff -u` and git write it. */
export function Diff({ text, label }: { readonly text: string; readonly label: string }) {
  const lines = text.replace(/\n$/, "").split("\n");
  return (
    <figure class="diff" aria-label={label}>
      <pre tabIndex={0}>
        {lines.slice(0, MAX_LINES).map((line, place) => {
          const isFile = /^(?:---|\+\+\+) /.test(line);
          const kind = isFile ? "place" : (KINDS[line[0] ?? ""] ?? "same");
          return (
            <span key={place} class={`diff-line diff-${kind}`}>
              <span class="hidden-name">{WORDS[kind]}</span>
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

/** More makes the page slow, and nobody reads it. */
const MAX_LENGTH = 100_000;

/** A value as JSON to look at; the end of a very long one is left out. */
export function shownJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? "";
  return text.length > MAX_LENGTH
    ? `${text.slice(0, MAX_LENGTH)}\n… ${text.length - MAX_LENGTH} more characters`
    : text;
}
