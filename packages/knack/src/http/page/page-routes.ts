import type { Route } from "../api/route.ts";
import { HttpError } from "../server/http-error.ts";
import { IMMUTABLE } from "../server/security-headers.ts";
import { readPageFile } from "./built-page.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";

/** Every address of the page. A reload or a link to any of them gets the page, which then shows that address. */
export const PAGE_PATHS = [
  "/",
  "/skills",
  "/skills/{id}",
  "/graph",
  "/try",
  "/runs",
  "/runs/{id}",
  "/plans",
  "/plans/{id}",
  "/queue",
  "/queue/{id}",
  "/audit",
  "/connect",
] as const;

/** The page's static files: the same for everyone, so they need no token. Its script fetches data with the token. */
export const pageRoutes: readonly Route[] = [
  ...PAGE_PATHS.map((path) => file(path, () => "index.html")),
  file("/icon.svg", () => "icon.svg"),
  file("/assets/{name}", ({ name }) => `assets/${name}`, { "Cache-Control": IMMUTABLE }),
];

function file(
  path: string,
  nameOf: (params: Readonly<Record<string, string>>) => string,
  headers: Readonly<Record<string, string>> = {},
): Route {
  return {
    method: "GET",
    path,
    summary: "The page that shows the skills here; open it with the token.",
    type: "text/html",
    isOpen: true,
    handle: ({ params, header }) => {
      const found = readPageFile(nameOf(params), header("accept-encoding") ?? "");
      if (!found) throw new HttpError(404, "NOT_FOUND", "The page has no such file; reload the page.");
      return new Response(found.bytes, {
        headers: {
          "Content-Type": found.type,
          "Content-Length": String(found.bytes.length),
          "Content-Security-Policy": contentSecurityPolicy(),
          Vary: "Accept-Encoding",
          ...(found.encoding ? { "Content-Encoding": found.encoding } : {}),
          ...openerPolicy(header("sec-fetch-site")),
          ...headers,
        },
      });
    },
  };
}

/**
 * Cuts off a page elsewhere that opened this one. The browser starts another process for that, which delays the first paint, so an
 * address that the user opened ("none": typed, from a bookmark, from the terminal) comes without.
 */
function openerPolicy(site: string | undefined): Readonly<Record<string, string>> {
  return site === "none" ? { "Cross-Origin-Opener-Policy": "unsafe-none" } : {};
}
