/** The built-ins that parse what they read: a parser can be kept busy, or made to grow. The others hash, and look at first bytes. */
export const PARSING: ReadonlySet<string> = new Set([
  "text_extract",
  "template_render",
  "diff_artifact",
  "validator_basic",
]);
