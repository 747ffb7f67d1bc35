import { HTML } from "../page/html.ts";
import { SCRIPT } from "../page/script.ts";
import type { Route } from "./route.ts";

/** The page gets its own script, which asks this server and nothing else. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The page's own files: the same bytes for everyone, so they need no token. What they show is asked for with it. */
export const pageRoutes: readonly Route[] = [
  file("/", "A page that shows the skills here; open it with the token.", "text/html", HTML),
  file("/page.js", "The script of the page.", "text/javascript", SCRIPT),
];

function file(path: string, summary: string, type: string, text: string): Route {
  return {
    method: "GET",
    path,
    summary,
    type,
    isOpen: true,
    handle: () =>
      new Response(text, {
        headers: {
          "Content-Type": `${type}; charset=utf-8`,
          "Content-Length": String(Buffer.byteLength(text)),
          "Content-Security-Policy": CONTENT_SECURITY_POLICY,
        },
      }),
  };
}
