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

/**
 * What a URI names. Only as it is given out: no empty segment, no slash at the end, no dots, nothing encoded in another way.
 * Else one file would have many addresses, and a client that compares them would take them for many files.
 */
export function parseSkillUri(text: string): SkillUri | undefined {
  const [name = "", ...segments] = text.startsWith(SCHEME) ? text.slice(SCHEME.length).split("/") : [];
  // A host of its own kind only: no user, no port.
  if (!/^[^\s/?#@:%[\]\\]+$/.test(name)) return undefined;
  try {
    const decoded = segments.map(decodeURIComponent);
    if (decoded.some((part) => /[/\0]/.test(part) || /^\.{0,2}$/.test(part))) return undefined;
    const file = decoded.join("/");
    return skillUri(name, file) === text ? { name, file } : undefined;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
