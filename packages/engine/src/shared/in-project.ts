import {
  type FileContent,
  type FileFault,
  hold,
  isInside,
  readRegularFile,
  systemCode,
} from "@knack/core/files";

/** Files of an untrusted project are held first: what is read was found inside, whatever is linked or renamed meanwhile. */

type LeadsOut = { readonly leadsOut: true };

/** The bytes of a file, `leadsOut` where it really is outside of the project. */
export function readInProject(
  file: string,
  projectRoot: string,
  maxBytes: number,
): FileContent | FileFault | LeadsOut {
  try {
    using held = hold(file, (real) => isInside(real, projectRoot));
    const content = held && readRegularFile(held.handle, maxBytes, true);
    return content && held.isSame() ? content : { leadsOut: true };
  } catch (error) {
    return { fault: "UNREADABLE", detail: systemCode(error) };
  }
}

/** A descriptor for a regular file or folder, which the caller closes. Throws the system's error if there is none. */
export function openInProject(file: string, projectRoot: string): number | LeadsOut {
  using held = hold(file, (real) => isInside(real, projectRoot));
  if (held && !held.stats.isFile()) throw Object.assign(new Error("not a file"), { code: NOT_A_FILE });
  return held?.open() ?? { leadsOut: true };
}

/** The error code for something that is not a regular file. */
export const NOT_A_FILE = "ENOTFILE";
