import { SkillError } from "@knack/core";
import { quote } from "@knack/core/internal";
import { requirePlainPath, requireRef } from "./check-ref.ts";
import { publicUrl, type Source } from "./source.ts";

const GIT = new Set(["https:", "http:", "ssh:", "git:", "file:", "git+https:", "git+http:", "git+ssh:"]);

/** An address: an archive by its ending, a page of a code host, or else a git repository. */
export function parseUrl(text: string): Source {
  const shown = quote(publicUrl(text));
  if (!URL.canParse(text)) throw new SkillError("INVALID_PARAM", `${shown} is not a valid address.`);
  const parsed = new URL(text);
  if (!GIT.has(parsed.protocol))
    throw new SkillError(
      "INVALID_PARAM",
      `${shown} has a scheme that is not supported: use https, http, ssh, git or file.`,
    );
  if (parsed.hostname.startsWith("-") || decode(parsed.username).startsWith("-"))
    throw new SkillError("INVALID_PARAM", `${shown} has a host or user that begins with a hyphen.`);
  const isWeb = parsed.protocol === "https:" || parsed.protocol === "http:";
  if (isWeb && /\.(?:tar\.gz|tgz|zip)$/i.test(parsed.pathname))
    return { kind: "archive", location: withoutFragment(text), isUrl: true };
  const ref = parsed.hash === "" ? null : requireRef(decode(parsed.hash.slice(1)));
  // git knows schemes in lower case alone.
  const url = withoutFragment(text).replace(/^[^:]+/, parsed.protocol.slice(0, -1).replace(/^git\+/, ""));
  return (isWeb && pageOf(parsed, ref)) || { kind: "git", url, ref, path: "" };
}

/** `/owner/repo/tree/ref/path`, and with `/-/` in between. */
function pageOf(parsed: URL, ref: string | null): Source | undefined {
  const found = /^\/(.+?)\/(?:-\/)?(?:tree|blob)\/(.+)$/.exec(parsed.pathname);
  if (!found || !/^[^/]+\/[^/]+/.test(found[1] ?? "")) return undefined;
  const repository = (found[1] ?? "").replace(/\.git$/, "");
  const refAndPath = (found[2] ?? "")
    .split("/")
    .filter((part) => part !== "")
    .map(decode);
  if (refAndPath.at(-1) === "SKILL.md") refAndPath.pop();
  requirePlainPath(refAndPath.join("/"));
  const login = parsed.username === "" ? "" : `${parsed.username}:${parsed.password}@`;
  const url = `${parsed.protocol}//${login}${parsed.host}/${repository}.git`;
  return { kind: "git", url, ref, path: "", refAndPath };
}

const withoutFragment = (text: string): string => text.replace(/#.*$/s, "");

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
