import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { notFound } from "../../options.ts";
import { packageFolder } from "../../version.ts";
import { type Route, route } from "../api/route.ts";
import { IMMUTABLE } from "../server/send-response.ts";

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
  path: `/${string}`,
  nameOf: (params: Readonly<Record<string, string>>) => string,
  headers: Readonly<Record<string, string>> = {},
): Route {
  return route(`GET ${path}`, "reader", {
    summary: "The page that shows the skills here; open it with the token.",
    type: "text/html",
    isOpen: true,
    handle: ({ params, header }) => {
      const found = readPageFile(
        nameOf(params as Readonly<Record<string, string>>),
        header("accept-encoding") ?? "",
      );
      if (!found) throw notFound("The page has no such file; reload the page.");
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
  });
}

/**
 * Cuts off a page elsewhere that opened this one. The browser starts another process for that, which delays the first paint, so an
 * address that the user opened ("none": typed, from a bookmark, from the terminal) comes without.
 */
function openerPolicy(site: string | undefined): Readonly<Record<string, string>> {
  return site === "none" ? { "Cross-Origin-Opener-Policy": "unsafe-none" } : {};
}

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};

/** The build writes each file a second and a third time, compressed. */
const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

let known: ReadonlySet<string> | undefined;
/** What was read once: all files together are under 2 MB. */
const bytesOf = new Map<string, Buffer<ArrayBuffer>>();

/** A file of the built page, in the best encoding that the browser takes; undefined if the page has no such file. */
function readPageFile(name: string, acceptEncoding: string) {
  const folder = join(packageFolder(), "dist", "web");
  known ??= listFiles(folder);
  const type = TYPES[extname(name)];
  if (type === undefined || !known.has(name)) return undefined;
  const [encoding, ending] = ENCODINGS.find(
    ([one, end]) => accepts(acceptEncoding, one) && known?.has(`${name}${end}`),
  ) ?? [null, ""];
  const file = `${name}${ending}`;
  const bytes = bytesOf.get(file) ?? readFileSync(join(folder, file));
  bytesOf.set(file, bytes);
  return { bytes, type, encoding };
}

/** Only names from this list are opened, so no request can name another file. */
function listFiles(folder: string): ReadonlySet<string> {
  const inside = (name: string): string[] => {
    try {
      return readdirSync(join(folder, name));
    } catch {
      // Not built: nothing to list.
      return [];
    }
  };
  return new Set([...inside("."), ...inside("assets").map((name) => `assets/${name}`)]);
}

function accepts(header: string, encoding: string): boolean {
  return header
    .split(",")
    .map((part) => part.trim().toLowerCase())
    .some((part) => part.split(";")[0] === encoding && !/;\s*q=0(?:\.0*)?$/.test(part));
}

let policy: string | undefined;

/**
 * The page may run only its own scripts and connect only to this server. Trusted Types: markup comes from DOMPurify alone.
 * Pictures of artifacts are fetched with the token and shown from memory, as blob: addresses.
 */
function contentSecurityPolicy(): string {
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
    "trusted-types dompurify",
  ].join("; ");
  return policy;
}

/** The styles of the first paint stand in the HTML; no other style in any markup is allowed. */
function styleHashes(): string[] {
  const html = readPageFile("index.html", "")?.bytes.toString("utf8") ?? "";
  return [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(
    ([, text = ""]) => `'sha256-${hash("sha256", text, "base64")}'`,
  );
}
