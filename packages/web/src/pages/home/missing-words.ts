interface Missing {
  readonly name: string;
  readonly kind: "FILE" | "CONFIRMATION" | "SKILL_OUTPUT";
  readonly have: number;
  readonly min_count: number;
}

/** What a blocked task waits for, as a part of a sentence: "the file sources (1 of 2)". */
export function missingWords(
  reason: "WAITING_INPUT" | "WAITING_APPROVAL" | "WAITING_SKILL" | "WAITING_EXTERNAL",
  missing: readonly Missing[],
): string {
  const [first] = missing;
  if (!first)
    return reason === "WAITING_EXTERNAL" ? "you: it failed three times" : "something outside of Knack";
  const { name, kind, have, min_count: needed } = first;
  const nouns = { FILE: "the file", CONFIRMATION: "your confirmation", SKILL_OUTPUT: "the result" } as const;
  const counted = needed > 1 ? ` (${have} of ${needed})` : "";
  const more = missing.length > 1 ? ` and ${missing.length - 1} more` : "";
  return `${nouns[kind]} ${name}${counted}${more}`;
}
