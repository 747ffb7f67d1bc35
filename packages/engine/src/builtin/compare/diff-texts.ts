import { numberLines } from "./number-lines.ts";
import { TextLines } from "./text-lines.ts";
import { unifiedDiff } from "./unified-diff.ts";

/** The unified diff of two texts in UTF-8, as `diff_artifact` makes it; empty where they are the same. */
export async function diffTexts(
  left: Buffer,
  right: Buffer,
  names: { readonly left: string; readonly right: string },
): Promise<string> {
  const { compareLines } = await import("./compare-lines.ts");
  const [before, after] = [new TextLines(left), new TextLines(right)];
  const { edits } = compareLines(numberLines(before, after), new AbortController().signal);
  return Buffer.concat([...unifiedDiff(before, after, edits, names)]).toString("utf8");
}
