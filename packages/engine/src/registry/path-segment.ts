/** Device names on Windows, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/i;

/** Why a text cannot be one segment of a path on every operating system, or `undefined`. */
export function segmentProblem(segment: string): string | undefined {
  if (segment === "") return "is empty.";
  if (segment === "." || segment === "..") return `is "${segment}".`;
  if (/[/\\]/.test(segment)) return "contains a path separator.";
  // biome-ignore format: the ranges are what a reader looks for
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/.test(segment)) return "contains a control character.";
  if (!segment.isWellFormed()) return "contains half of a surrogate pair.";
  if (/[:*?"<>|]/.test(segment)) return 'contains one of : * ? " < > |.';
  if (segment.startsWith("~")) return 'begins with "~".';
  if (/[. ]$/.test(segment) || segment.startsWith(" ")) return "begins or ends in a space, or ends in a dot.";
  if (DEVICE.test(segment)) return "is a reserved device name on Windows.";
  return undefined;
}
