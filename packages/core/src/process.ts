/** Programs and processes of this machine: find one, know it again, end it with all that it started. */

export {
  findProgram,
  findSystemProgram,
  isProgram,
  loadsForeignCode,
} from "./shared/process/find-program.ts";
export { isGone, ownProcess, type ProcessMark, parentOf, startOf } from "./shared/process/process-mark.ts";
export {
  endGroup,
  endTree,
  listProcesses,
  markedProcesses,
  type ProcessTree,
} from "./shared/process/process-tree.ts";
