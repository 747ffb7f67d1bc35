import type { Diagnostic } from "@knack/core/internal";
import type { GlobalOptions } from "../../options.ts";
import { painter } from "../../terminal/output.ts";
import { shortPath } from "../../terminal/paths.ts";
import { escapeControl } from "../../terminal/visible.ts";

/** Diagnostics for a person: `path:line` first, so that editors can jump there. */
export function reportDiagnostics(
  diagnostics: readonly Diagnostic[],
  cwd: string,
  options: GlobalOptions,
): string[] {
  const paint = painter(options);
  return diagnostics.map(({ path, code, message, line }) => {
    const isError = code.startsWith("E_");
    const place = `${shortPath(path, cwd)}${line === undefined ? "" : `:${line}`}`;
    return `${paint("bold", place)}: ${paint(isError ? "red" : "yellow", `${isError ? "error" : "warning"} ${code}`)}: ${escapeControl(message)}`;
  });
}
