const MAX = 80;

/** A request to try, from what a skill says of itself: its first clause, without "Use when". */
export function requestFrom(description: string): string {
  const [sentence = ""] = description.split(/(?<=[.!?])\s|[。！？\n]|(?<=.{8}):\s|：/);
  const plain = sentence.replace(/^Use (?:this )?(?:skill )?(?:when|for|to)\s+/i, "").replace(/[.!?]$/, "");
  if (plain.length <= MAX) return plain;
  // Whole words, where the script has spaces.
  return plain.slice(0, MAX).replace(/\s+\S*$/, "");
}
