/** For files whose name changes with their content. */
export const IMMUTABLE = "public, max-age=31536000, immutable";

/** Sent with every answer, also to invalid HTTP. There is never an `Access-Control-*` header: no other page may read answers. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "Cache-Control": "no-store",
  "Content-Security-Policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};
