/**
 * Lists every text that the program can print: messages, help, notes. One line each, with its file and line.
 *
 *     node scripts/list-messages.ts            all of them
 *     node scripts/list-messages.ts cli http   only files whose path contains one of these words
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseSync } from "oxc-parser";

const root = join(import.meta.dirname, "..");

interface Message {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** At least two words; not a path, a pattern or an SQL statement. */
function isProse(text: string): boolean {
  if (!/\p{L}{2,}[,;:.]? \p{L}{2,}/u.test(text)) return false;
  return !/^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|BEGIN|ALTER|DROP|ATTACH)\b/.test(text);
}

type Node = { readonly type: string; readonly start: number; readonly [key: string]: unknown };

function* textsOf(node: unknown): Generator<{ readonly start: number; readonly text: string }> {
  if (Array.isArray(node)) for (const one of node) yield* textsOf(one);
  if (typeof node !== "object" || node === null || !("type" in node)) return;
  const one = node as Node;
  if (/^(?:Import|TS)/.test(one.type)) return;
  if (one.type === "Literal" && typeof one.value === "string") yield { start: one.start, text: one.value };
  if (one.type === "TemplateLiteral") {
    const quasis = one.quasis as readonly { readonly value: { readonly cooked: string } }[];
    yield { start: one.start, text: quasis.map(({ value }) => value.cooked).join("…") };
  }
  for (const [key, value] of Object.entries(one)) if (key !== "type") yield* textsOf(value);
}

function messagesOf(file: string): Message[] {
  const source = readFileSync(file, "utf8");
  const { program } = parseSync(file, source);
  return [...textsOf(program)]
    .filter(({ text }) => isProse(text))
    .map(({ start, text }) => ({
      file: relative(root, file),
      line: source.slice(0, start).split("\n").length,
      text: text.replaceAll("\n", "⏎"),
    }));
}

const words = process.argv.slice(2);
const files = ["core", "engine", "knack"]
  .flatMap((name) => {
    const src = join(root, "packages", name, "src");
    return readdirSync(src, { recursive: true, encoding: "utf8" }).map((path) => join(src, path));
  })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$|\/testing\//.test(file))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort();
for (const { file, line, text } of files.flatMap(messagesOf)) console.log(`${file}:${line}: ${text}`);
