import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { decodeUri, quote } from "@knack/core/text";
import { invalid, notFound } from "../options.ts";
import { type NpmSource, publicUrl, type Source } from "./source.ts";

/** What git allows in the name of a branch or tag, and no more: nothing of it is an option, a pattern or a refspec. */
const REF =
  /^(?![-/.+@])(?!.*(?:\.\.|\/\/|@\{|\/\.|\.lock(?:\/|$)))[^\u0000-\u0020\u007f~^:?*[\\]+(?<![/.])$/;
const MAX_REF = 250;

export const isCommit = (ref: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(ref);

export const isRef = (ref: string): boolean => REF.test(ref) && ref.length <= MAX_REF;

export function requireRef(ref: string): string {
  if (isRef(ref)) return ref;
  throw invalid(`${quote(ref)} cannot be the name of a branch, tag or commit.`);
}

/** A path in a repository, with slashes, or nothing for all of it. */
function requirePlainPath(given: string): string {
  const parts = given.split("/").filter((part) => part !== "");
  if (parts.some((part) => part === "." || part === ".." || /[\u0000-\u001f\u007f\\]/.test(part)))
    throw invalid(`${quote(given)} is not a path in a repository.`);
  return parts.join("/");
}

const GIT = new Set(["https:", "http:", "ssh:", "git:", "file:", "git+https:", "git+http:", "git+ssh:"]);

/** An address: an archive by its ending, a page of a code host, or else a git repository. */
function parseUrl(text: string): Source {
  const shown = quote(publicUrl(text));
  if (!URL.canParse(text)) throw invalid(`${shown} is not a valid address.`);
  const parsed = new URL(text);
  if (!GIT.has(parsed.protocol))
    throw invalid(`${shown} has a scheme that is not supported: use https, http, ssh, git or file.`);
  if (parsed.hostname.startsWith("-") || decode(parsed.username).startsWith("-"))
    throw invalid(`${shown} has a host or user that begins with a hyphen.`);
  const isWeb = parsed.protocol === "https:" || parsed.protocol === "http:";
  if (isWeb && ARCHIVE.test(parsed.pathname))
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

const decode = (text: string): string => decodeUri(text) ?? text;
const withoutFragment = (text: string): string => text.replace(/#.*$/s, "");

/** A `.skill` is a zip of one skill. */
export const ARCHIVE = /\.(?:tar\.gz|tgz|zip|skill)$/i;
const MAX_LENGTH = 2_048;
const OWNER = /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/;
const REPOSITORY = /^[A-Za-z0-9._-]+$/;
const NPM_NAME = /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*$/i;
const NPM_VERSION = /^[A-Za-z0-9^~<>=*.+ |-]+$/;
/** `git@host:path`; a host or path that begins with a hyphen would be an option of ssh. */
const SSH = /^(?:[A-Za-z0-9_][\w.-]*@)[A-Za-z0-9][\w.-]*:(?![-/:\\])\S+$/;

const FORMS =
  "owner/repo, owner/repo/path, owner/repo@skill, a git or archive address, npm:name, or a path that begins with ./";

/** Reads what a user named. A path must begin with `.`, `/` or `~`; everything else is somewhere else. */
export function parseSource(given: string, place: { readonly cwd: string; readonly home: string }): Source {
  const text = given.trim();
  if (text === "") throw invalid(`Name a source: ${FORMS}.`);
  if (text.length > MAX_LENGTH || /[\u0000-\u001f\u007f]/.test(text))
    throw invalid(`${quote(given)} is not a source: name ${FORMS}.`);
  if (text.startsWith("-")) throw invalid(`${quote(given)} begins with a hyphen; a source cannot.`);
  if (/^(?:[./]|~(?:\/|$))/.test(text) || /^[a-z]:[\\/]/i.test(text)) return localSource(text, place);
  if (text.startsWith("npm:")) return npmSource(text.slice("npm:".length));
  if (/^[a-z][a-z0-9+.-]*::/i.test(text))
    throw invalid(`${quote(given)} would start a program. Name the address of the repository itself.`);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return parseUrl(text);
  const [address, ref] = splitRef(text);
  if (SSH.test(address)) return { kind: "git", url: address, ref, path: "" };
  return shortSource(address, ref, text, place);
}

function splitRef(text: string): [address: string, ref: string | null] {
  const at = text.lastIndexOf("#");
  if (at < 0) return [text, null];
  return [text.slice(0, at), requireRef(text.slice(at + 1))];
}

function shortSource(address: string, ref: string | null, given: string, { cwd }: { cwd: string }): Source {
  const [owner = "", named = "", ...path] = address.replace(/\/$/, "").split("/");
  // No repository has an "@" in its name.
  const [repository = "", skill] = path.length === 0 ? named.split(/@(.+)/) : [named];
  if (OWNER.test(owner) && REPOSITORY.test(repository) && !/^\.+$/.test(repository)) {
    const name = repository.replace(/\.git$/, "");
    const url = `https://github.com/${owner}/${name}.git`;
    const only = skill === undefined ? {} : { skill };
    return { kind: "git", url, ref, path: requirePlainPath(path.join("/")), isShort: true, ...only };
  }
  const local = existsSync(resolve(cwd, given)) ? ` For the folder here write ./${given}.` : "";
  throw invalid(`${quote(given)} is not a source: name ${FORMS}.${local}`);
}

function npmSource(text: string): NpmSource {
  const at = text.indexOf("@", 1);
  const name = at < 0 ? text : text.slice(0, at);
  const version = at < 0 ? null : text.slice(at + 1);
  if (!NPM_NAME.test(name) || name.length > 214)
    throw invalid(`${quote(name)} cannot be the name of an npm package.`);
  if (version !== null && (!NPM_VERSION.test(version) || /^[-.]/.test(version)))
    throw invalid(`${quote(version)} is not a version, range or tag of npm.`);
  return { kind: "npm", name, version };
}

function localSource(text: string, { cwd, home }: { cwd: string; home: string }): Source {
  const path = /^~(?:\/|$)/.test(text) ? join(home, text.slice(1)) : resolve(cwd, text);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) {
    const hint = text.includes("#") ? " For a ref of a local repository write file:///path#ref." : "";
    throw notFound(`${quote(path)} does not exist.${hint}`);
  }
  if (stats.isDirectory()) return { kind: "folder", path };
  if (stats.isFile() && basename(path) === "SKILL.md") return { kind: "folder", path: dirname(path) };
  if (stats.isFile() && ARCHIVE.test(path)) return { kind: "archive", location: path, isUrl: false };
  throw invalid(`${quote(path)} is neither a folder nor an archive (.tar.gz, .tgz, .zip, .skill).`);
}
