/** skills.lock and the lock of `npx skills`: digests of skills, and how a skill differs from them. */

export { acceptedBefore, acceptedIn, acceptLocked } from "./lock/accepted-locks.ts";
export {
  compareDigest,
  digestSkill,
  type FileChange,
  pathFault as lockPathFault,
} from "./lock/digest-skill.ts";
export { readLock, updateLock } from "./lock/lock-file.ts";
export { checkLocked, checkNpxLocked, LockGate } from "./lock/lock-gate.ts";
export {
  folderOf,
  type LockPlace,
  type LockPlaces,
  lockFolder,
  lockOf,
  lockPlaces,
  projectLock,
  userLock,
} from "./lock/lock-place.ts";
export { keepTexts, keptText, type LockReport, lockSkills, textNow } from "./lock/lock-skills.ts";
export { type NpxLocked, readNpxLock } from "./lock/npx-lock.ts";
export { type LockedSkill, lockedAt, type SkillLock, withLocked, withoutLocked } from "./lock/skill-lock.ts";
