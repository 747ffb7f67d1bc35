import { envelopeSchema } from "../tools/parameters.ts";

/** Every rule of the tool envelope that a value breaks, a sentence each; none where it is a good answer. */
export function checkEnvelope(value: unknown): string[] {
  const { data: envelope, error: fault } = envelopeSchema.safeParse(value);
  if (!envelope) return fault.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  const { status, data, error, stats, context } = envelope;
  const rules: readonly (readonly [boolean, string])[] = [
    [data.truncated !== true || status !== "success", "data.truncated: true comes with status partial."],
    [data.applied !== false || status !== "success", "data.applied: false comes with status partial."],
    ["error" in envelope === (status === "error"), "error is there exactly when status is error."],
    [error?.message !== "", "error.message says what is wrong."],
    [stats.time_ms >= 0, "stats.time_ms is a number from 0 on."],
    [context.cwd !== "" && !context.cwd.startsWith("/"), "context.cwd is relative to the project root."],
  ];
  return rules.flatMap(([holds, rule]) => (holds ? [] : rule));
}
