/** Where skills come from. */
export type Source = GitSource | FolderSource | ArchiveSource | NpmSource;

export interface GitSource {
  readonly kind: "git";
  /** As git is given it; it may have a password in it. */
  readonly url: string;
  /** Branch, tag or commit; the repository's default branch where it is null. */
  readonly ref: string | null;
  /** Folder in the repository; empty for all of it. */
  readonly path: string;
  /** Of a pasted address: a ref and a path with nothing that divides them, because both may have slashes. */
  readonly refAndPath?: readonly string[];
  /** It was written as owner/repo. */
  readonly isShort?: boolean;
}

export interface FolderSource {
  readonly kind: "folder";
  /** Absolute. */
  readonly path: string;
}

export interface ArchiveSource {
  readonly kind: "archive";
  /** An absolute path, or an address. */
  readonly location: string;
  readonly isUrl: boolean;
}

export interface NpmSource {
  readonly kind: "npm";
  readonly name: string;
  /** A version, range or tag; the newest where it is null. */
  readonly version: string | null;
}

const SECRET = /token|secret|passw|auth|key|signature|^sig$|credential/i;

/** The source without anything secret: for the lock and for every output. */
export function publicName(source: Source): string {
  switch (source.kind) {
    case "git":
      return publicUrl(source.url);
    case "folder":
      return source.path;
    case "archive":
      return source.isUrl ? publicUrl(source.location) : source.location;
    case "npm":
      return `npm:${source.name}`;
  }
}

/** An address without its password. The user of ssh stays: it is part of the address. */
export function publicUrl(text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  if (!URL.canParse(text)) return text.replace(/(?<=:\/\/)[^/]*@/, "");
  const url = new URL(text);
  const hasSecret = [...url.searchParams.keys()].some((name) => SECRET.test(name));
  if (url.username === "" && url.password === "" && !hasSecret) return text;
  if (!url.protocol.includes("ssh")) url.username = "";
  url.password = "";
  if (hasSecret) url.search = "";
  return url.href;
}

/** What another program printed, with no password of an address in it. */
export function withoutSecrets(text: string, source: Source): string {
  const address = source.kind === "git" ? source.url : source.kind === "archive" ? source.location : "";
  const whole = address === "" ? text : text.replaceAll(address, publicUrl(address));
  return whole.replaceAll(/(?<=:\/\/)[^/\s@'"]*:[^/\s@'"]*@/g, "");
}
