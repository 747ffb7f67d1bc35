import { createHash } from "node:crypto";
import { readPageFile } from "./built-page.ts";

let policy: string | undefined;

/**
 * The page may run only its own scripts and connect only to this server. Trusted Types: markup comes from DOMPurify alone,
 * and the one worker is a file of the page.
 * Pictures of artifacts are fetched with the token and shown from memory, as blob: addresses.
 */
export function contentSecurityPolicy(): string {
  policy ??= [
    "default-src 'none'",
    "script-src 'self'",
    ["style-src 'self'", ...styleHashes()].join(" "),
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types dompurify knack-worker",
  ].join("; ");
  return policy;
}

/** The styles of the first paint stand in the HTML; no other style in any markup is allowed. */
function styleHashes(): string[] {
  const html = readPageFile("index.html", "")?.bytes.toString("utf8") ?? "";
  return [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(
    ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
  );
}
