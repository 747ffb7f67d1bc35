import { resolve } from "node:path";
import { type FileChange, folderOf, lockFolder, lockOf } from "@knack/core/internal";
import { openProject } from "../../host/open-project.ts";
import { changesOf, folderOfPinned, type Pinned } from "../../host/pins.ts";
import { recoverInstalls } from "../../install/recover.ts";
import type { GlobalOptions } from "../../options.ts";
import { pluralize } from "../../terminal/count.ts";
import { note, painter, print, printJson } from "../../terminal/output.ts";
import { shortPath } from "../../terminal/paths.ts";
import { escapeControl } from "../../terminal/visible.ts";
import { findPinned, type Locks, openLocks } from "./locks.ts";
import { changeLines } from "./tell-changes.ts";

export interface VerifyOptions extends GlobalOptions {
  readonly strict?: boolean;
  readonly user?: boolean;
}

interface Problem {
  readonly pinned: Pinned;
  readonly changes: readonly FileChange[];
}

export async function verify(references: readonly string[], options: VerifyOptions): Promise<void> {
  await recoverInstalls(options);
  const locks = await openLocks(openProject(options), options.user);
  const chosen =
    references.length === 0
      ? locks.pinned
      : [...new Set(references.flatMap((reference) => findPinned(locks, reference)))];
  const problems: Problem[] = [];
  for (const pinned of chosen) {
    const changes = await changesOf(pinned);
    if (changes.length > 0) problems.push({ pinned, changes });
  }
  const unlocked = references.length === 0 ? notLocked(locks) : [];
  const isFailed = problems.length > 0 || (options.strict === true && unlocked.length > 0);
  process.exitCode = isFailed ? 1 : 0;
  if (options.json) {
    printJson({
      ok: !isFailed,
      checked: chosen.length,
      problems: problems.flatMap(problemJson),
      not_locked: unlocked,
    });
    return;
  }
  tell(problems, unlocked, chosen.length, options);
}

/** Skills that no lock has; the user's own count once the user has a lock. */
function notLocked(locks: Locks): { name: string; path: string }[] {
  const { catalog, both, places, pinned } = locks;
  const isPinned = new Set(pinned.map((one) => folderOf(one.place, folderOfPinned(one))));
  return catalog.entries
    .map(({ skill }) => skill)
    .filter((skill) => {
      const place = places.find((one) => one === lockOf(skill, both));
      if (!place || (place.scope === "user" && places.length > 1 && !locks.has(place))) return false;
      const folder = lockFolder(place, skill.dir);
      return folder === undefined || !isPinned.has(folderOf(place, folder));
    })
    .map(({ name, path }) => ({ name, path }));
}

function problemJson({ pinned, changes }: Problem): object[] {
  const { key, place, npx } = pinned;
  const lock = npx ? resolve(place.base, "skills-lock.json") : place.file;
  const path = folderOf(place, folderOfPinned(pinned));
  return changes.map(({ path: file, kind, detail }) => ({
    skill: key,
    path,
    lock,
    file,
    change: kind,
    ...(detail === undefined ? {} : { detail }),
  }));
}

function tell(
  problems: readonly Problem[],
  unlocked: readonly { readonly name: string; readonly path: string }[],
  checked: number,
  options: VerifyOptions,
): void {
  const cwd = resolve(options.cwd ?? ".");
  const paint = painter(options);
  const lines = problems.flatMap(({ pinned, changes }) => [
    `${paint("bold", escapeControl(pinned.key))}  ${shortPath(folderOf(pinned.place, folderOfPinned(pinned)), cwd)}`,
    ...changeLines(changes),
    `  ${nextStep(pinned)}`,
  ]);
  if (options.strict)
    for (const { name, path } of unlocked)
      lines.push(`${paint("bold", escapeControl(name))}  ${shortPath(path, cwd)}\n  not locked`);
  print(lines.join("\n"));
  const isFailed = process.exitCode === 1;
  const parts = [
    `${pluralize(checked, "locked skill")} checked`,
    problems.length === 1 ? "1 differs" : `${problems.length} differ`,
  ];
  if (checked === 0 && unlocked.length > 0) parts.splice(0, 2, "no skill is locked");
  if (unlocked.length > 0) parts.push(`${unlocked.length} not locked; "knack lock" locks what is there`);
  const second = painter(options, 2);
  note(`${isFailed ? second("red", "failed") : second("green", "ok")}: ${parts.join(", ")}`);
}

function nextStep({ key, locked, npx }: Pinned): string {
  const name = /^[\w.:/-]+$/.test(key) ? key : JSON.stringify(escapeControl(key));
  if (npx)
    return `skills-lock.json has another hash: "npx skills" restores it, "knack lock ${name}" accepts it.`;
  const restore = locked?.source === undefined ? "" : `, "knack update ${name}" restores it`;
  return `"knack diff ${name}" shows what changed, "knack lock ${name}" accepts it${restore}.`;
}
