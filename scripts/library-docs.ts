import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Class, type Comment, type Node, type Program, parseSync } from "oxc-parser";

/** The reference of the libraries, from the declarations of what they export and the comments before them. */

const root = join(import.meta.dirname, "..");
export const LIBRARY_DOCS = join(root, "docs/library.md");
const MARK = "<!-- From here on: npm run docs:library -->\n";

/** What is promised. The other entry points are for Knack's own program. */
const ENTRY_POINTS = {
  "@knack/core": "packages/core/src/index.ts",
  "@knack/core/schemas": "packages/core/src/schemas.ts",
  "@knack/core/testing": "packages/core/src/testing/index.ts",
  "@knack/engine": "packages/engine/src/index.ts",
} as const;

interface Source {
  readonly file: string;
  readonly text: string;
  readonly program: Program;
  readonly comments: readonly Comment[];
}

/** A declaration that is exported under a name. */
interface Found {
  readonly name: string;
  readonly source: Source;
  /** The statement, before which its comment stands. */
  readonly statement: Node;
  readonly node: Node;
}

const sources = new Map<string, Source>();

function read(file: string): Source {
  const known = sources.get(file);
  if (known) return known;
  const text = readFileSync(join(root, file), "utf8");
  const source = { file, text, ...parsed(file, text) };
  sources.set(file, source);
  return source;
}

function parsed(file: string, text: string): Pick<Source, "program" | "comments"> {
  const { program, comments } = parseSync(file, text);
  return { program, comments };
}

/** Every name that a file exports, with its declaration, in the order of the file. */
function exportsOf(file: string): Found[] {
  const source = read(file);
  return source.program.body.flatMap((statement): Found[] => {
    if (statement.type === "ExportAllDeclaration") return exportsOf(pathOf(file, statement.source.value));
    if (statement.type !== "ExportNamedDeclaration") return [];
    const { declaration, specifiers, source: from } = statement;
    if (declaration) return named(declaration).map(([name, node]) => ({ name, source, statement, node }));
    return specifiers.flatMap(({ local, exported }) => {
      const path = from?.value ?? importedFrom(source, nameOf(local));
      const found = path
        ? exportsOf(pathOf(file, path)).find(({ name }) => name === nameOf(local))
        : undefined;
      return found ? [{ ...found, name: nameOf(exported) }] : [];
    });
  });
}

const pathOf = (file: string, path: string): string => join(dirname(file), path);
const nameOf = (node: Node): string => (node.type === "Identifier" ? node.name : "");

function named(node: Node): [name: string, node: Node][] {
  if (node.type === "VariableDeclaration") return node.declarations.map((one) => [nameOf(one.id), one]);
  return "id" in node && node.id ? [[nameOf(node.id as Node), node]] : [];
}

/** The comment directly before a node. */
function commentBefore({ text, comments }: Source, { start }: Node): string {
  const comment = comments.findLast(({ end }) => end <= start);
  return comment && /^\n? *$/.test(text.slice(comment.end, start)) ? comment.value : "";
}

/** Its first sentence. */
function commentOn(source: Source, node: Node): string {
  const words = commentBefore(source, node)
    .replaceAll(/^\s*\*+ ?/gm, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return /^.*?\.(?= |$)/.exec(words)?.[0] ?? words;
}

const oneLine = (text: string): string =>
  text
    .replaceAll(/\/\*\*[\s\S]*?\*\//g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/([([{]) | (?=[)\]}])|,(?= [)}])/g, "$1")
    .trim();

/** How a function or a member is written, without its body. */
function signature({ text }: Source, from: number, body: Node | null | undefined, end: number): string {
  return oneLine(text.slice(from, body?.start ?? end))
    .replace(/[;{=]$/, "")
    .trim();
}

function rowsOf({ name, source, statement, node }: Found): string[] {
  const row = (what: string, comment: string): string =>
    `| \`${what.replaceAll("|", "\\|")}\` | ${comment.replaceAll("|", "\\|")} |`;
  const comment = commentOn(source, statement);
  if (node.type === "FunctionDeclaration")
    return [row(signature(source, node.id?.start ?? node.start, node.body, node.end), comment)];
  if (node.type === "ClassDeclaration")
    return [row(`class ${name}`, comment), ...membersOf(node, source).map(([what, said]) => row(what, said))];
  if (node.type === "TSInterfaceDeclaration") {
    const keys = node.body.body.flatMap((one) =>
      "key" in one && !commentBefore(source, one).includes("@internal")
        ? [`${nameOf(one.key as Node)}${"optional" in one && one.optional ? "?" : ""}`]
        : [],
    );
    return [row(`interface ${name}`, [comment, `\`${keys.join("`, `")}\``].filter(Boolean).join(" "))];
  }
  if (node.type === "VariableDeclarator") return [row(name, comment || schemaComment(name))];
  return [row(`type ${name}`, comment || typeComment(source, node))];
}

const schemaComment = (name: string): string =>
  name.endsWith("Schema") ? `The schema of \`${name[0]?.toUpperCase()}${name.slice(1, -6)}\`.` : "";

/** A short type says enough itself. */
function typeComment({ text }: Source, node: Node): string {
  if (node.type !== "TSTypeAliasDeclaration") return "";
  const written = oneLine(text.slice(node.typeAnnotation.start, node.typeAnnotation.end));
  const [, schema] = /^z\.infer<typeof (\w+)>$/.exec(written) ?? [];
  return schema ? `What \`${schema}\` describes.` : `\`${written}\``;
}

/** What others may use of a class and of the one that it extends. */
function membersOf(node: Class, source: Source): [what: string, comment: string][] {
  const own = node.body.body.flatMap((member): [string, string][] => {
    if (member.type !== "MethodDefinition" && member.type !== "PropertyDefinition") return [];
    const isPublic = member.key.type === "Identifier" && (member.accessibility ?? "public") === "public";
    const isInternal = commentBefore(source, member).includes("@internal");
    if (!isPublic || isInternal || (member.type === "MethodDefinition" && member.kind === "constructor"))
      return [];
    const body = member.type === "MethodDefinition" ? member.value.body : member.value;
    const what = signature(source, member.key.start, body, member.end);
    const isGetter = member.type === "MethodDefinition" && member.kind === "get";
    return [[`.${isGetter ? what.replace("()", "") : what}`, commentOn(source, member)]];
  });
  const name = node.superClass ? nameOf(node.superClass) : "";
  const path = importedFrom(source, name);
  const parent = path ? exportsOf(pathOf(source.file, path)).find((one) => one.name === name) : undefined;
  const inherited = parent ? membersOf(parent.node as Class, parent.source) : [];
  const nameIn = ([what]: [string, string]): string => /^\.\w+/.exec(what)?.[0] ?? "";
  const said = new Map(inherited.map((member) => [nameIn(member), member[1]]));
  const names = new Set(own.map(nameIn));
  return [
    ...own.map(([what, comment]): [string, string] => [
      what,
      comment || (said.get(nameIn([what, ""])) ?? ""),
    ]),
    ...inherited.filter((member) => !names.has(nameIn(member))),
  ];
}

/** The file of this package from which a name is imported. */
function importedFrom({ program }: Source, name: string): string | undefined {
  const from = program.body
    .filter((statement) => statement.type === "ImportDeclaration")
    .find(({ specifiers }) => specifiers.some(({ local }) => local.name === name))?.source.value;
  return from?.startsWith(".") ? from : undefined;
}

/** The page: what a person wrote up to the mark, then the reference. */
export function libraryDocs(): string {
  const [written = ""] = readFileSync(LIBRARY_DOCS, "utf8").split(MARK);
  const parts = Object.entries(ENTRY_POINTS).map(([name, file]) => {
    const rows = exportsOf(file)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap(rowsOf);
    return `\n## ${name}\n\n| name | what it is |\n|---|---|\n${rows.join("\n")}\n`;
  });
  return `${written}${MARK}${parts.join("")}`;
}

/** The names that the page has for an entry point; those of members are left out. */
export function namesOn(page: string, entryPoint: string): string[] {
  const [, part = ""] = page.split(`\n## ${entryPoint}\n`);
  const [own = ""] = part.split("\n## ");
  return [...own.matchAll(/^\| `(?:(?:class|interface|type) )?(\w+)/gm)].map(([, name = ""]) => name);
}

if (import.meta.main) writeFileSync(LIBRARY_DOCS, libraryDocs());
