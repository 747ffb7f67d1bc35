import { posix, relative, sep } from "node:path";
import { shorten } from "../../shared/quote.ts";
import type { Remark } from "../finding.ts";
import type { LintSkill } from "../lint-skill-input.ts";
import { linksOf } from "../text/links.ts";

/** Files that no skill has a reason to point at. */
const SENSITIVE =
  /(?:^|\/)(?:etc\/(?:passwd|shadow|sudoers)|\.ssh\/|\.aws\/|\.gnupg\/|\.netrc$|id_(?:rsa|ed25519)|\.kube\/config)/;

export function* checkLinksOut({ texts, faults, dir }: LintSkill): Generator<Remark> {
  for (const { path, fault } of faults) {
    if (fault.fault !== "PATH_ESCAPE") continue;
    const file = relative(dir, path).split(sep).join("/");
    yield {
      rule: "link-outside",
      severity: "error",
      file,
      message: "A symbolic link leads out of the skill's folder.",
    };
  }
  for (const text of texts.filter(({ isMarkdown }) => isMarkdown)) {
    for (const { target, line } of linksOf(text)) {
      const place = posix.normalize(posix.join(posix.dirname(text.file), target));
      const isOut = target.startsWith("/") || target.startsWith("~") || place.startsWith("../");
      if (!isOut) continue;
      const severity = SENSITIVE.test(target) ? "error" : "note";
      const message = `The link ${shorten(target)} leads out of the skill's folder.`;
      yield { rule: "link-outside", severity, file: text.file, line, message };
    }
  }
}

export function* checkExecutables({ executables, unread }: LintSkill): Generator<Remark> {
  for (const { file, isBinary, digest } of executables)
    yield isBinary
      ? {
          rule: "executable-file",
          severity: "warning",
          file,
          message: "A compiled program, which nobody can read.",
          subject: digest,
        }
      : {
          rule: "executable-file",
          severity: "note",
          file,
          message: "A file that can be executed; read it before use.",
          subject: digest,
        };
  for (const { file, reason } of unread)
    yield {
      rule: "unchecked-file",
      severity: "warning",
      file,
      message: `Not checked as a whole: ${reason}.`,
    };
}
