import type { FileChange } from "@knack/core/internal";
import { escapeControl, visiblePath } from "../../terminal/visible.ts";

const WORDS: Readonly<Record<FileChange["kind"], string>> = {
  changed: "changed",
  missing: "missing",
  extra: "extra",
  link: "link",
  unknown: "unreadable",
};

/** One line for each file that differs: how, which, and what it is instead. */
export function changeLines(changes: readonly FileChange[]): string[] {
  return changes.map(({ kind, path, detail }) => {
    const what = path === "" ? "the whole folder" : visiblePath(path);
    return `  ${WORDS[kind].padEnd(10)}  ${what}${detail === undefined ? "" : ` (${escapeControl(detail)})`}`;
  });
}
