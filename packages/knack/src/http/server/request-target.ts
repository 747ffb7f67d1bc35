import type { KnackError } from "@knack/core/text";
import { invalid } from "../../options.ts";

export interface RequestTarget {
  /** A segment may contain a slash that was sent encoded; only file routes accept that. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
}

/**
 * Reads the target of a request. Refuses what two parsers could read differently: dot segments, encoded separators, empty
 * segments, an absolute URL.
 */
export function readTarget(url: string, maxBytes: number): RequestTarget {
  if (!url.startsWith("/")) throw wrong("The request must name a path that begins with a slash");
  const at = url.indexOf("?");
  const path = at === -1 ? url : url.slice(0, at);
  // The query does not count: an overlong search text is cut, not refused.
  if (path.length > maxBytes) throw wrong(`The path is too long; at most ${maxBytes} bytes are allowed`);
  const query = new URLSearchParams(at === -1 ? "" : url.slice(at + 1));
  if (path === "/") return { segments: [], query };
  return { segments: path.slice(1).split("/").map(decode), query };
}

function decode(segment: string): string {
  let text: string;
  try {
    text = decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) throw wrong("The path is not encoded as UTF-8");
    throw error;
  }
  if (/[\\\u0000-\u001f\u007f]/.test(text))
    throw wrong("The path contains a backslash or a control character");
  for (const part of text.split("/")) {
    if (part === "") throw wrong("The path has an empty part");
    if (part === "." || part === "..") throw wrong('The path must not contain "." or ".." as a part');
  }
  return text;
}

function wrong(what: string): KnackError {
  return invalid(`${what}.`);
}
