/** Each part with its length, so that no text in one can pass for two. */
export function framed(...parts: readonly string[]): string {
  return parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join("");
}
