import { SkillError } from "@knack/core";

const USUAL_URL = "http://127.0.0.1:4747/mcp";

/** The address of `/mcp` of a running `knack serve`: the usual one, or what was given behind `--http`. */
export function serverUrl(given: string | true): string {
  if (given === true) return USUAL_URL;
  const { protocol, origin, pathname, search, hash, username, password } = URL.canParse(given)
    ? new URL(given)
    : new URL("none:");
  const isPlain = /^https?:$/.test(protocol) && !search && !hash && !username && !password;
  if (isPlain && (pathname === "/" || pathname === "/mcp")) return `${origin}/mcp`;
  throw new SkillError(
    "INVALID_PARAM",
    `--http takes the address that "knack serve" prints, such as ${USUAL_URL}, without the token.`,
  );
}
