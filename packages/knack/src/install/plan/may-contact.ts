import { isTrusted } from "@knack/core";
import { note } from "../../terminal/output.ts";
import { visiblePath } from "../../terminal/visible.ts";
import type { InstallPlace } from "../place.ts";
import { ask } from "../show/ask.ts";
import type { SourceGroup } from "./locked-skills.ts";

/** A stranger's lock can name any address: in a project that is not trusted, its sources are contacted only if the user says so. */
export async function mayContact(
  place: InstallPlace,
  groups: readonly SourceGroup[],
  options: { readonly yes?: boolean; readonly json?: boolean },
): Promise<boolean> {
  if (groups.length === 0 || options.yes || place.scope === "user" || isTrusted(place.base, place))
    return true;
  const list = [...new Set(groups.map(({ label }) => `  ${visiblePath(label)}`))].join("\n");
  note(`skills.lock of this project, which you have not trusted, names these sources:\n${list}`);
  return ask(`Contact ${groups.length === 1 ? "this source" : `these ${groups.length} sources`}?`, true);
}
