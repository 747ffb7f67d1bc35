import { type Stats, statSync } from "node:fs";
import { resolve } from "node:path";
import { shorten } from "@knack/core/text";
import type { Registered } from "../registry/register.ts";
import { assignRoles, type GivenInput } from "./prepare-run.ts";

/** What is wrong with a request, and where: `["params", "sections", "0"]`, `["inputs", "template"]`. */
export interface RequestFault {
  readonly at: readonly string[];
  readonly message: string;
}

/** Every fault of a request that can be seen without reading the files, for a form that shows them all. */
export function requestFaults(
  { skill, checkParams }: Registered,
  request: { readonly inputs: readonly GivenInput[]; readonly params: unknown },
  cwd: string,
): RequestFault[] {
  const params = checkParams(request.params).faults.map(({ at, message }) => placed(at, message));
  const missing: RequestFault[] = [];
  assignRoles(skill, request.inputs, (fault) => {
    if (fault.kind === "missing") missing.push({ at: ["inputs", fault.role], message: "Name a file." });
  });
  return [
    ...missing,
    ...request.inputs.flatMap(({ role, path }) => {
      const message = fileFault(resolve(cwd, path), path);
      return message === undefined ? [] : [{ at: ["inputs", role ?? ""], message }];
    }),
    ...params,
  ];
}

/** The place is said by `at`, also that of a property that is missing. */
function placed(at: readonly string[], said: string): RequestFault {
  const message = said.replace(/^params[^:]*: /, "");
  const missing = /^must have required property '(.*)'\.$/.exec(message)?.[1];
  if (missing !== undefined) return { at: ["params", ...at, missing], message: "It is required." };
  return { at: ["params", ...at], message };
}

function fileFault(file: string, path: string): string | undefined {
  const stats = statOf(file);
  if (!stats) return `There is no file ${shorten(path)}.`;
  return stats.isFile() ? undefined : `${shorten(path)} is not a file.`;
}

/** A path that cannot be one, with a NUL or of thousands of letters, is no file either. */
function statOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
