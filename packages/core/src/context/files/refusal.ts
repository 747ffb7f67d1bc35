import { quote } from "../../shared/quote.ts";
/** Why a file of a skill is not served, and what to do about it, for a model or a person to read. */
export interface FileRefusal {
  readonly refusal:
    | "NOT_FOUND"
    | "ACCESS_DENIED"
    | "IS_DIRECTORY"
    | "NOT_REGULAR"
    | "PERMISSION_DENIED"
    | "EXECUTION_ERROR";
  readonly message: string;
}

/** The refusal for a failed system call. */
export function systemRefusal(code: string, file: string): FileRefusal {
  const name = quote(file);
  // A file cannot exist if its name is too long, or if its parent is a file.
  if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG") {
    const hint = file.includes("\\") ? ' Folders are separated by "/".' : "";
    return {
      refusal: "NOT_FOUND",
      message: `There is no file ${name} in the skill's folder.${hint} Use a path from the skill's list of files.`,
    };
  }
  if (code === "ELOOP") {
    return {
      refusal: "NOT_FOUND",
      message: `${name} is a link that leads to itself; it has no content. Use another path from the skill's list of files.`,
    };
  }
  if (code === "EACCES" || code === "EPERM") {
    return {
      refusal: "PERMISSION_DENIED",
      message: `Permission denied: ${name} cannot be read (${code}). Make it readable.`,
    };
  }
  return { refusal: "EXECUTION_ERROR", message: `${name} could not be read (${code}); try again.` };
}
