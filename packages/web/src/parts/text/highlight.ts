import DOMPurify from "dompurify";

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
