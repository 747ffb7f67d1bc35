/** Each part with its length, so that no two lists of parts give the same text. */
export function framed(...parts: readonly string[]): string {
  return parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join("");
}
