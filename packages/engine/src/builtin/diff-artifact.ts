import { extname } from "node:path";
import { KnackError } from "@knack/core/text";
import type { StructuredPatchHunk } from "diff";
import type { SkillContext, SkillInput } from "../shared/typed-skill.ts";
import { builtin, failure, readWhole, theInput } from "./builtin.ts";
import { outlineOf } from "./markdown.ts";
import { unixLines, writeText } from "./text-artifact.ts";
import { decodeText, encodingOf } from "./text-encoding.ts";

const MAX_BYTES = 32 << 20;
/** More lines than this would take more memory than the files themselves by far. */
const MAX_LINES = 2_000_000;
/** Texts with more changes are shown as replaced: the search for the shortest edit takes quadratic time. */
const MAX_EDIT_LENGTH = 2_000;
const CONTEXT = 3;
/** Both texts together; what is larger is data, and its headings take many times its size. */
const MAX_PROSE_BYTES = 8 << 20;
/** Where a line that begins with # is a heading and not a comment. */
const PROSE = new Set(["", ".md", ".markdown", ".mdx", ".txt"]);
const MAX_SECTIONS = 100;
const MAX_NAMED = 5;

const SAME = {
  patch: "",
  identical: true,
  binary: false,
  added: 0,
  removed: 0,
  places: 0,
  changed_sections: [] as readonly string[],
  approximate: false,
  summary: "identical",
};
type Facts = Readonly<typeof SAME>;

export const diffArtifact = builtin(
  {
    name: "diff_artifact",
    description: "Compare two files: a unified diff and a summary in words and numbers",
    inputs: [
      { role: "left", kind: "FILE", required: true, many: false },
      { role: "right", kind: "FILE", required: true, many: false },
    ],
    outputs: {
      artifacts: [
        { name: "diff", format: "diff", pathTemplate: "workspace/artifacts/{task_id}/diff_{key}.diff" },
      ],
      evidences: [{ kind: "DIFF", fields: [...Object.keys(SAME).slice(1), "left_sha256", "right_sha256"] }],
    },
    schema: { type: "object", additionalProperties: false },
  },
  async (context) => {
    const left = theInput(context, "left");
    const right = theInput(context, "right");
    const { patch, ...facts } = left.sha256 === right.sha256 ? SAME : await compare(context, left, right);
    context.log(facts.summary);
    const artifact = await writeText(context.artifactsDir, "diff", "diff", patch);
    const data = { ...facts, left_sha256: left.sha256, right_sha256: right.sha256 };
    return { artifacts: [artifact], evidences: [{ kind: "DIFF", data }] };
  },
);

async function compare({ signal }: SkillContext, left: SkillInput, right: SkillInput): Promise<Facts> {
  const before = textOf(await readWhole(left, MAX_BYTES, signal));
  const after = textOf(await readWhole(right, MAX_BYTES, signal));
  if (before === null || after === null) {
    const patch = "Binary files left and right differ\n";
    return { ...SAME, patch, identical: false, binary: true, summary: "binary files differ" };
  }
  if (before === after) {
    const summary = "the same text; only its encoding or byte order mark differs";
    return { ...SAME, identical: false, summary };
  }
  for (const text of [before, after]) refuseManyLines(text);
  const { patch, hunks, approximate } = await comparison(before, after, { left: "left", right: "right" });
  const edits = editsOf(hunks);
  const places = edits.length;
  const added = edits.reduce((sum, edit) => sum + edit.added, 0);
  const removed = edits.reduce((sum, edit) => sum + edit.removed, 0);
  const isProse =
    PROSE.has(extname(right.path).toLowerCase()) && before.length + after.length <= MAX_PROSE_BYTES;
  const sections = isProse ? changedSections(unixLines(before), unixLines(after), edits) : [];
  const parts = [`${counted(added, removed)} ${places === 1 ? "in 1 place" : `in ${places} places`}`];
  if (unixLines(before) === unixLines(after)) parts.push("only line ends differ");
  if (sections.length > 0) parts.push(`${named(sections)} changed`);
  if (approximate) parts.push("the texts differ so much that they are shown as replaced");
  const summary = parts.join("; ");
  const facts = { added, removed, places, changed_sections: sections, approximate, summary };
  return { ...SAME, patch, identical: false, ...facts };
}

/** Without a byte order mark; `null` if it is not text. */
function textOf(bytes: Buffer): string | null {
  if (encodingOf(bytes) === "utf-8" && bytes.includes(0)) return null;
  try {
    return decodeText(bytes);
  } catch (error) {
    if (error instanceof KnackError) return null;
    throw error;
  }
}

function refuseManyLines(text: string): void {
  let count = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  if (count > MAX_LINES)
    throw failure("TOO_LARGE", `The file has ${count} lines; at most ${MAX_LINES} are compared.`);
}

interface Names {
  readonly left: string;
  readonly right: string;
}

/** The unified diff of two texts in UTF-8, as `diff_artifact` makes it; empty where they are the same. */
export async function diffTexts(left: Buffer, right: Buffer, names: Names): Promise<string> {
  if (left.equals(right)) return "";
  return (await comparison(left.toString("utf8"), right.toString("utf8"), names)).patch;
}

async function comparison(left: string, right: string, names: Names) {
  const { FILE_HEADERS_ONLY, formatPatch, structuredPatch } = await import("diff");
  const options = { context: CONTEXT, maxEditLength: MAX_EDIT_LENGTH };
  const found = structuredPatch(names.left, names.right, left, right, undefined, undefined, options);
  const hunks = found ? found.hunks : [replacedHunk(left, right)];
  const patch = formatPatch(
    { oldFileName: names.left, newFileName: names.right, oldHeader: undefined, newHeader: undefined, hunks },
    FILE_HEADERS_ONLY,
  );
  return { patch, hunks, approximate: !found };
}

/** Everything between the first and the last difference, replaced. */
function replacedHunk(left: string, right: string): StructuredPatchHunk {
  const [before, after] = [linesOf(left), linesOf(right)];
  const most = Math.min(before.length, after.length);
  let same = 0;
  while (same < most && before[same] === after[same]) same++;
  let sameAtEnd = 0;
  while (sameAtEnd < most - same && before.at(-1 - sameAtEnd) === after.at(-1 - sameAtEnd)) sameAtEnd++;
  const start = Math.max(0, same - CONTEXT);
  const trail = Math.min(CONTEXT, sameAtEnd);
  const marked = (mark: string, lines: readonly string[]): string[] =>
    lines.flatMap((line) =>
      line.endsWith("\n") ? [mark + line.slice(0, -1)] : [mark + line, "\\ No newline at end of file"],
    );
  const [leftEnd, rightEnd] = [before.length - sameAtEnd, after.length - sameAtEnd];
  return {
    oldStart: start + 1,
    oldLines: leftEnd + trail - start,
    newStart: start + 1,
    newLines: rightEnd + trail - start,
    lines: [
      marked(" ", before.slice(start, same)),
      marked("-", before.slice(same, leftEnd)),
      marked("+", after.slice(same, rightEnd)),
      marked(" ", before.slice(leftEnd, leftEnd + trail)),
    ].flat(),
  };
}

/** With their line ends. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Lines that were replaced: `removed` of the left by `added` of the right, from these lines on, counted from 0. */
interface Edit {
  readonly left: number;
  readonly right: number;
  removed: number;
  added: number;
}

function editsOf(hunks: readonly StructuredPatchHunk[]): Edit[] {
  const edits: Edit[] = [];
  for (const { oldStart, newStart, lines } of hunks) {
    let [left, right] = [oldStart - 1, newStart - 1];
    let isInEdit = false;
    for (const [mark] of lines) {
      if (mark === "\\") continue;
      if (mark !== " " && !isInEdit) edits.push({ left, right, removed: 0, added: 0 });
      isInEdit = mark !== " ";
      const edit = edits.at(-1);
      if (edit && mark === "-") edit.removed++;
      if (edit && mark === "+") edit.added++;
      if (mark !== "+") left++;
      if (mark !== "-") right++;
    }
  }
  return edits;
}

/** The headings that changed lines stand under, in the order of the right text, then those that only the left has. */
function changedSections(left: string, right: string, edits: readonly Edit[]): string[] {
  const inRight = sectionFinder(right);
  const inLeft = sectionFinder(left);
  const sections = [
    ...edits.flatMap((edit) => inRight(edit.right, edit.added)),
    ...edits.flatMap((edit) => (edit.removed > 0 ? inLeft(edit.left, edit.removed) : [])),
  ];
  return [...new Set(sections)].slice(0, MAX_SECTIONS);
}

/** Asked in rising order: the sections of so many lines from there on; of no lines, the section they would be in. */
function sectionFinder(text: string): (from: number, count: number) => string[] {
  const { headings } = outlineOf(text, 0);
  const lineOf = (index: number): number => headings[index]?.line ?? Number.POSITIVE_INFINITY;
  let next = 0;
  return (from, count) => {
    while (lineOf(next) <= from) next++;
    let end = next;
    while (lineOf(end) < from + count) end++;
    return headings
      .slice(Math.max(0, next - 1), end)
      .map((heading) => heading.text)
      .filter((name) => name !== "");
  };
}

function counted(added: number, removed: number): string {
  const lines = (count: number): string => (count === 1 ? "1 line" : `${count} lines`);
  if (removed === 0) return `${lines(added)} added`;
  if (added === 0) return `${lines(removed)} removed`;
  return `${lines(added)} added, ${removed} removed`;
}

function named(sections: readonly string[]): string {
  const quoted = sections.slice(0, MAX_NAMED).map((name) => `‘${name}’`);
  const more = sections.length > MAX_NAMED ? ` and ${sections.length - MAX_NAMED} more` : "";
  return `${sections.length === 1 ? "section" : "sections"} ${quoted.join(", ")}${more}`;
}
