import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Node, parseSync } from "oxc-parser";
import { describe, expect, it } from "vitest";

/** The requirements of each document. A row that is lost, or added, changes a number here. */
const COUNTS = { "000": 51, "001": 52, "002": 45, "003": 45, "004": 81 };

const PAGE = join(import.meta.dirname, "../docs/spec/requirements.md");

interface Row {
  readonly document: string;
  readonly asked: string;
  readonly section: string;
  readonly proof: string;
}

/** That files and headings of links exist is checked by docs-links.test.ts, for this page as for all. */
const rows: Row[] = readFileSync(PAGE, "utf8")
  .split(/^## /m)
  .slice(1)
  .flatMap((part) =>
    [...part.matchAll(/^\| (\[.*?) \| (.*?) \| (.*) \|$/gm)].map(
      ([, section = "", asked = "", proof = ""]) => ({
        document: part.slice(0, 3),
        asked,
        section,
        proof,
      }),
    ),
  );

const linksOf = ({ proof }: Row) =>
  [...proof.matchAll(/\[`(.+?)`\]\(\.\.\/\.\.\/(\S+?)\)/g)].map(([, name = "", file = ""]) => ({
    name: name.replaceAll("\\|", "|"),
    file,
  }));

/** The tests of a file by their titles, alone and behind those of their groups; `…` is a part that is computed. */
function titlesIn(file: string): Set<string> {
  const titles = new Set<string>();
  const visit = (node: unknown, groups: readonly string[]): void => {
    if (Array.isArray(node)) for (const one of node) visit(one, groups);
    if (typeof node !== "object" || node === null || Array.isArray(node)) return;
    const call = testCall(node as Node);
    if (call?.kind === "it")
      for (let from = 0; from <= groups.length; from++)
        titles.add([...groups.slice(from), call.title].join(" > "));
    const inner = call?.kind === "describe" ? [...groups, call.title] : groups;
    for (const child of Object.values(node)) visit(child, inner);
  };
  visit(parseSync(file, readFileSync(join(import.meta.dirname, "..", file), "utf8")).program, []);
  return titles;
}

const NEVER = new Set(["skip", "todo", "fails"]);

/** `it(…)`, `it.each(…)(…)`, `describe.skipIf(…)(…)` and so on, with the title. One that never runs proves nothing. */
function testCall(node: Node): { readonly kind: string; readonly title: string } | undefined {
  if (node.type !== "CallExpression" || node.arguments.length < 2) return undefined;
  let kind: Node = node.callee;
  while (kind.type !== "Identifier")
    if (kind.type === "MemberExpression") {
      if (kind.property.type === "Identifier" && NEVER.has(kind.property.name)) return undefined;
      kind = kind.object;
    } else if (kind.type === "CallExpression") kind = kind.callee;
    else return undefined;
  const [title] = node.arguments;
  if (title?.type === "Literal") return { kind: kind.name, title: String(title.value) };
  if (title?.type !== "TemplateLiteral") return undefined;
  return { kind: kind.name, title: title.quasis.map(({ value }) => value.cooked).join("…") };
}

describe("docs/spec/requirements.md", () => {
  it("has every requirement of each document, once", () => {
    const counts = Object.fromEntries(Map.groupBy(rows, ({ document }) => document));
    expect(Object.fromEntries(Object.entries(counts).map(([name, all]) => [name, all?.length]))).toEqual(
      COUNTS,
    );
    expect(new Set(rows.map(({ document, section, asked }) => document + section + asked)).size).toBe(
      rows.length,
    );
  });

  it("leads from each row to a section of its document", () => {
    for (const { document, section } of rows)
      expect(section).toMatch(new RegExp(`^\\[.+\\]\\(${document}\\.md#.+\\)$`));
  });

  it("names for each row tests that are there", () => {
    const files = new Map(
      [...new Set(rows.flatMap(linksOf).map(({ file }) => file))].map((file) => [file, titlesIn(file)]),
    );
    const faults = rows.flatMap((row) => {
      const links = linksOf(row);
      const written = links.map(({ name, file }) => `[\`${name.replaceAll("|", "\\|")}\`](../../${file})`);
      return [
        ...(links.length === 0 || written.join("<br>") !== row.proof ? [`no test: ${row.asked}`] : []),
        ...links.flatMap(({ name, file }) => (files.get(file)?.has(name) ? [] : [`${file}: ${name}`])),
      ];
    });
    expect(faults).toEqual([]);
  });
});
