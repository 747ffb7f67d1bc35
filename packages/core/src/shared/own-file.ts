import { lstatSync, realpathSync, type Stats, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { KnackError, systemCode, tryOr } from "./errors.ts";
import { isInside } from "./paths.ts";
import { type FileContent, type FileFault, isAbsent, kindOf, readRegularFile } from "./regular-file.ts";

/**
 * Knack's own files are regular files of this user, reached without a link below `base` (the project or the user's folder).
 * Anything else there was put there by somebody else, and is neither read nor written.
 */

export type OwnFile =
  | { readonly kind: "absent" }
  | { readonly kind: "file"; readonly stats: Stats }
  | { readonly kind: "refused"; readonly path: string; readonly reason: string };

/**
 * Follows no link below `base`; `base` itself may be one: it is the user's choice. `isWrittenInPlace`: a second name would be
 * written too.
 */
export function lookAtOwn(base: string, path: string, { isWrittenInPlace = false } = {}): OwnFile {
  const way = relative(base, path).split(sep);
  if (way[0] === "" || !isInside(path, base))
    return { kind: "refused", path, reason: `it is not inside ${base}` };
  let at = base;
  for (let i = 0; ; i++) {
    at = join(at, way[i] ?? "");
    const refused = (reason: string): OwnFile => ({ kind: "refused", path: at, reason });
    const stats = lstatOf(at);
    if (stats === undefined) return { kind: "absent" };
    if (typeof stats === "string") return refused(`it cannot be checked (${stats})`);
    if (i === way.length - 1) {
      const reason = strangeness(stats, base, isWrittenInPlace);
      return reason === undefined ? { kind: "file", stats } : refused(reason);
    }
    if (!stats.isDirectory()) return refused(`it is ${kindOf(stats)}, not a folder`);
  }
}

/** As an error that says what to do. */
export function requireOwn(base: string, path: string): void {
  const found = lookAtOwn(base, path);
  if (found.kind === "refused") throw new KnackError("CONFIG_INVALID", refusalText(found));
}

export function refusalText({ path, reason }: { readonly path: string; readonly reason: string }): string {
  return `${path} is not used: ${reason}. Knack does not follow links to its own files; remove it, or replace it with a file of yours.`;
}

/** Through the descriptor that was checked. */
export function readOwn(base: string, path: string, maxBytes: number): FileContent | FileFault {
  const found = lookAtOwn(base, path);
  if (found.kind === "absent") return { fault: "UNREADABLE", detail: "ENOENT" };
  if (found.kind === "refused") return { fault: "NOT_REGULAR", detail: found.reason };
  const content = readRegularFile(path, maxBytes, false);
  if ("fault" in content) return content;
  const reason = strangeness(content.stats, base, false);
  return reason === undefined ? content : { fault: "NOT_REGULAR", detail: reason };
}

/** As text; `undefined` where there is none. What is wrong is a `KnackError`, and `next` says what to do. */
export function readOwnText(base: string, file: string, maxBytes: number, next: string): string | undefined {
  const content = readOwn(base, file, maxBytes);
  if (!("fault" in content)) return content.bytes.toString("utf8");
  if (isAbsent(content)) return undefined;
  const { fault, detail } = content;
  const why =
    fault === "TOO_LARGE"
      ? `it has ${detail} bytes, and at most ${maxBytes} are read`
      : fault === "UNREADABLE"
        ? `the system refused (${detail})`
        : detail;
  throw new KnackError("CONFIG_INVALID", `${file} cannot be read: ${why}. ${next}`);
}

/** Why a file is not Knack's own. */
function strangeness(stats: Stats, base: string, isWrittenInPlace: boolean): string | undefined {
  if (!stats.isFile()) return `it is ${kindOf(stats)}, not a regular file`;
  if (isWrittenInPlace && stats.nlink > 1) return "it has a second name (a hard link)";
  if (process.getuid === undefined || stats.uid === process.geteuid?.()) return undefined;
  // The owner of the base may put files there.
  const owner = statSync(base, { throwIfNoEntry: false })?.uid;
  return stats.uid === owner ? undefined : "it belongs to another user";
}

function lstatOf(path: string): Stats | string | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    const code = systemCode(error);
    return code === "ENOENT" || code === "ENOTDIR" ? undefined : code;
  }
}

/** For a base that is still to be made. */
export function realBase(folder: string): string {
  const parent = dirname(folder);
  const real = tryOr(() => realpathSync(folder), undefined);
  return real ?? (parent === folder ? folder : join(realBase(parent), relative(parent, folder)));
}

/** It covers itself too, so that nothing untracked appears in the user's repository. */
const TEXT = `# Created by Knack. config.yaml can be committed; everything else here is local state.
*
!config.yaml
`;

/** Keeps local state out of git. Knack works without it, so a failure is left to whoever writes the state. */
export function addGitignore(base: string, folder: string): void {
  const file = join(folder, ".gitignore");
  if (lookAtOwn(base, file).kind !== "absent") return;
  tryOr(() => writeFileSync(file, TEXT, { flag: "wx", mode: 0o644 }), undefined);
}
