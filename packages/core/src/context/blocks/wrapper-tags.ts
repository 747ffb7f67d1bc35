import { tagReplacer } from "../look-alikes/tag-openings.ts";
import { WRAPPERS } from "../look-alikes/wrappers.ts";
import { oneLine } from "./escape.ts";

/**
 * The text with the opening of each look-alike of a wrapper's tag as `&lt;`, and every other byte as it was.
 * `&lt;` itself stays: it is what this writes.
 */
export const escapeWrapperTags: (text: string) => string = tagReplacer(WRAPPERS, () => "&lt;");

/** A name or a description for text outside a block: on one line, and not readable as a tag of a block. */
export function lineForModel(text: string): string {
  return escapeWrapperTags(oneLine(text));
}
