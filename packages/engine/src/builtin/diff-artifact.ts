import { isUtf8 } from "node:buffer";
import { extname } from "node:path";
import type { SkillContext, SkillFunction, SkillInput } from "../shared/skill-function.ts";
import type { TypedSkill } from "../shared/typed-skill.ts";
import { numberLines } from "./compare/number-lines.ts";
import { changedSections, summarize } from "./compare/summary.ts";
import { differOnlyInLineEnds, TextLines } from "./compare/text-lines.ts";
import { unifiedDiff } from "./compare/unified-diff.ts";
import { answering, Failure } from "./failure.ts";
import { decodeText, encodingOf } from "./formats/text-encoding.ts";
import { readWhole, theInput } from "./inputs.ts";
import { unixLines, writePieces } from "./text-artifact.ts";

export const diffArtifactSkill: TypedSkill = {
  name: "diff_artifact",
  description: "Compare two files: a unified diff and a summary in words and numbers",
  version: "1",
  implementation: "builtin:diff_artifact",
  inputs: [
    { role: "left", kind: "FILE", required: true, many: false },
    { role: "right", kind: "FILE", required: true, many: false },
  ],
  outputs: {
    artifacts: [
      { name: "diff", format: "diff", pathTemplate: "workspace/artifacts/{task_id}/diff_{key}.diff" },
    ],
    evidences: [
      {
        kind: "DIFF",
        fields: [
          "identical",
          "binary",
          "added",
          "removed",
          "places",
          "changed_sections",
          "approximate",
          "summary",
          "left_sha256",
          "right_sha256",
        ],
      },
    ],
  },
  params: { schema: { type: "object", additionalProperties: false } },
  idempotency: { strategy: "INPUT_HASHES_PLUS_PARAMS", cache: true },
  env: [],
  timeoutSeconds: null,
  tags: [],
  declared: null,
};

const MAX_BYTES = 32 << 20;
/** Both together; what is larger is data, and its headings take many times its size. */
const MAX_PROSE_BYTES = 8 << 20;
/** Where a line that begins with # is a heading and not a comment. */
const PROSE = new Set(["", ".md", ".markdown", ".mdx", ".txt"]);

export const diffArtifact: SkillFunction = answering(async (context) => {
  const left = theInput(context, "left");
  const right = theInput(context, "right");
  const { patch, ...facts } = left.sha256 === right.sha256 ? SAME : await compare(context, left, right);
  context.log(facts.summary);
  const artifact = await writePieces(context.artifactsDir, "diff", "diff", patch);
  const data = { ...facts, left_sha256: left.sha256, right_sha256: right.sha256 };
  return { artifacts: [artifact], evidences: [{ kind: "DIFF", data }] };
});

interface Facts {
  readonly patch: Iterable<Buffer>;
  readonly identical: boolean;
  readonly binary: boolean;
  readonly added: number;
  readonly removed: number;
  readonly places: number;
  readonly changed_sections: readonly string[];
  readonly approximate: boolean;
  readonly summary: string;
}

const SAME: Facts = {
  patch: [],
  identical: true,
  binary: false,
  added: 0,
  removed: 0,
  places: 0,
  changed_sections: [],
  approximate: false,
  summary: "identical",
};

async function compare(
  { signal }: SkillContext,
  leftInput: SkillInput,
  rightInput: SkillInput,
): Promise<Facts> {
  const left = textOf(await readWhole(leftInput, MAX_BYTES, signal));
  const right = textOf(await readWhole(rightInput, MAX_BYTES, signal));
  if (left === null || right === null) {
    const patch = [Buffer.from("Binary files left and right differ\n")];
    return { ...SAME, patch, identical: false, binary: true, summary: "binary files differ" };
  }
  if (left.equals(right)) {
    return {
      ...SAME,
      identical: false,
      summary: "the same text; only its encoding or byte order mark differs",
    };
  }
  const { compareLines } = await import("./compare/compare-lines.ts");
  const [leftLines, rightLines] = [new TextLines(left), new TextLines(right)];
  const comparison = compareLines(numberLines(leftLines, rightLines), signal);
  const { edits, approximate } = comparison;
  const added = edits.reduce((sum, edit) => sum + edit.added, 0);
  const removed = edits.reduce((sum, edit) => sum + edit.removed, 0);
  const isProse =
    PROSE.has(extname(rightInput.path).toLowerCase()) && left.length + right.length <= MAX_PROSE_BYTES;
  const [plainLeft, plainRight] = isProse
    ? [left, right].map((text) => unixLines(text.toString("utf8")))
    : [];
  const sections = isProse ? changedSections(plainLeft ?? "", plainRight ?? "", edits) : [];
  return {
    patch: unifiedDiff(leftLines, rightLines, edits),
    identical: false,
    binary: false,
    added,
    removed,
    places: edits.length,
    changed_sections: sections,
    approximate,
    summary: summarize(comparison, { added, removed }, sections, differOnlyInLineEnds(left, right)),
  };
}

/** In UTF-8, without a byte order mark; `null` if it is not text. */
function textOf(bytes: Buffer): Buffer | null {
  const { encoding, start } = encodingOf(bytes);
  if (encoding === "utf-8") {
    const text = bytes.subarray(start);
    return text.includes(0) || !isUtf8(text) ? null : text;
  }
  try {
    return Buffer.from(decodeText(bytes));
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}
