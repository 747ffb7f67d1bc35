import { isAbsolute, resolve } from "node:path";
import { isInside } from "../../shared/paths.ts";
import { quote } from "../../shared/quote.ts";
import type { FileRefusal } from "./refusal.ts";

/**
 * The absolute path that a request means, by its text alone: relative to the skill's folder, or absolute and in it. ".."
 * is refused even where it would stay inside, because with links on the way it means something else to the operating
 * system than to a reader. A backslash counts as a separator for this, whatever the operating system.
 */
export function requestedPath(dir: string, file: string): string | FileRefusal {
  const name = quote(file);
  if (file === "") {
    return {
      refusal: "NOT_FOUND",
      message: "The file name is empty; use a path from the skill's list of files.",
    };
  }
  if (file.includes("\0")) {
    return {
      refusal: "NOT_FOUND",
      message: `${name} has a NUL character in it, which no file name can have; use a path from the skill's list of files.`,
    };
  }
  const segments = file.split(/[/\\]/);
  if (segments.includes("..")) {
    return {
      refusal: "ACCESS_DENIED",
      message: `${name} has ".." in it; name a file by its path from the skill's folder, without "..".`,
    };
  }
  const path = resolve(dir, file);
  // A path may be relative to a drive, and so neither absolute nor in the folder.
  if (!isInside(path, dir)) {
    return {
      refusal: "ACCESS_DENIED",
      message: `${name} is outside the skill's folder ${dir}; only files in it are served. Use a path from its list of files.`,
    };
  }
  const last = isAbsolute(file) && path === dir ? "." : segments.at(-1);
  if (last === "" || last === ".") return folderRefusal(file);
  return path;
}

export function folderRefusal(file: string): FileRefusal {
  return {
    refusal: "IS_DIRECTORY",
    message: `${quote(file)} is a folder; ask for a file in it, from the skill's list of files.`,
  };
}
