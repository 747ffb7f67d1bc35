/** `skill://<name>/<file>`: the name stands in the place of the host, so a skill is found by it alone. */

const SCHEME = "skill://";

export interface SkillUri {
  readonly name: string;
  /** Relative to the skill's folder; empty for the folder itself. */
  readonly file: string;
}

export function skillUri(name: string, file = "SKILL.md"): string {
  const path = file.split("/").map(encodeURIComponent);
  return file === "" ? `${SCHEME}${name}` : `${SCHEME}${name}/${path.join("/")}`;
}

/** What a URI names, decoded once; undefined where it is none of ours or could be read in two ways. */
export function parseSkillUri(text: string): SkillUri | undefined {
  if (!text.startsWith(SCHEME) || !URL.canParse(text)) return undefined;
  const { host, pathname, search, hash, username, password, port } = new URL(text);
  if (host === "" || search || hash || username || password || port) return undefined;
  const segments = pathname.replace(/^\//, "").replace(/\/$/, "").split("/");
  try {
    const decoded = segments.map(decodeURIComponent);
    const isOdd = decoded.some((part) => /[/\0]/.test(part) || part === "." || part === "..");
    if (isOdd || (decoded.length > 1 && decoded.includes(""))) return undefined;
    return { name: host, file: decoded.join("/") };
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
