import { HTML } from "../page/html.ts";
import { SCRIPT } from "../page/script.ts";
import type { Route } from "./route.ts";

/** The page may run its own script, which may only connect to this server. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The page's static files: the same for everyone, so they need no token. The script fetches data with the token. */
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
