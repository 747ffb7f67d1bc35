import { note } from "../terminal/output.ts";

let hasWarned = false;

/** One line for a process, whatever goes wrong: telemetry is not what the user came for. */
export function warnOnce(line: string): void {
  if (hasWarned) return;
  hasWarned = true;
  note(`note: OpenTelemetry: ${line}`);
}

/** Why an export failed, without what a server answered: that could be anything. */
export function warnOfExport(error: unknown): void {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  warnOnce(`the collector ${reasonOf(code)}. Check OTEL_EXPORTER_OTLP_ENDPOINT, or unset it.`);
}

function reasonOf(code: unknown): string {
  if (typeof code === "number") return `answered ${code}`;
  return typeof code === "string" ? `cannot be reached (${code})` : "did not accept the data in time";
}
