import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { StampCache } from "../shared/file-stamp.ts";
import { isRecord, parseJson } from "../shared/json.ts";
import { withLock } from "../shared/lock.ts";
import { readOwn } from "../shared/own-file.ts";
import { writeDurably, writeError } from "../shared/write-whole.ts";
import type { LockPlace } from "./lock-place.ts";
import type { LockedSkill, SkillLock } from "./skill-lock.ts";

/** By project, the accepted digests of each skill. In the user's folder: a changed skill can bring a lock that fits it. */
type Accepted = Readonly<Record<string, Readonly<Record<string, AcceptedSkill>>>>;
interface AcceptedSkill {
  readonly sha256: string;
  readonly files: Readonly<Record<string, string>>;
}

export function acceptedFile({ userFolder }: Pick<LockPlace, "userFolder">): string {
  return join(userFolder, "accepted-locks.json");
}

export function acceptedIn(place: LockPlace): (locked: LockedSkill) => boolean {
  if (place.isBelieved) return () => true;
  return (locked) => acceptedBefore(place, locked)?.sha256 === locked.sha256;
}

export function acceptedBefore(place: LockPlace, { folder }: LockedSkill): AcceptedSkill | undefined {
  const own = readAccepted(place)[place.base] ?? {};
  return Object.hasOwn(own, folder) ? own[folder] : undefined;
}

/** Folders that have left the lock are forgotten. */
export async function acceptLocked(
  place: LockPlace,
  lock: SkillLock,
  entries: readonly LockedSkill[],
): Promise<void> {
  if (place.scope === "user") return;
  const file = acceptedFile(place);
  await withLock(place.userFolder, file, () => {
    const { [place.base]: before = {}, ...others } = readAccepted(place);
    const folders = new Set([...lock.values()].map(({ folder }) => folder));
    const kept = Object.entries(before).filter(([folder]) => folders.has(folder));
    const added = entries.map(({ folder, sha256, files }) => [
      folder,
      { sha256, files: Object.fromEntries(files) },
    ]);
    const now = Object.fromEntries([...kept, ...added]);
    if (isDeepStrictEqual(now, before)) return;
    const projects = Object.keys(now).length > 0 ? { ...others, [place.base]: now } : others;
    const failure = writeDurably(file, 0o600, `${JSON.stringify({ version: 1, projects }, null, 2)}\n`);
    if (failure) throw writeError(file, failure, true);
  });
}

const MAX_BYTES = 16 * 1024 * 1024;
const known = new StampCache<Accepted>();

/** An unreadable file accepts nothing: the skills wait for their user. */
function readAccepted(place: LockPlace): Accepted {
  const file = acceptedFile(place);
  return known.get(file, () => {
    const content = readOwn(dirname(file), file, MAX_BYTES);
    const data = "fault" in content ? undefined : parseJson(content.bytes.toString("utf8"));
    const projects = isRecord(data) && isRecord(data.projects) ? data.projects : {};
    const isGood = (one: unknown): boolean =>
      isRecord(one) && Object.values(one).every((skill) => isRecord(skill) && isRecord(skill.files));
    return Object.fromEntries(Object.entries(projects).filter(([, one]) => isGood(one))) as Accepted;
  });
}
