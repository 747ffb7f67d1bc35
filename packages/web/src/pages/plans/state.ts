import type { Answer } from "../../api/client.ts";
import type { IconName, State } from "../../parts/look.tsx";

export type Plan = Answer<"/api/plans/{id}">;
export type Task = Plan["tasks"][number];
export type Requirement = Task["requirements"][number];

interface TaskState extends State {
  readonly icon: IconName;
  readonly words: string;
}

const STATES: Readonly<Partial<Record<Task["status"], TaskState>>> = {
  DONE: { means: "done", icon: "check", words: "Done" },
  IN_PROGRESS: { means: "waits", icon: "play", words: "Running" },
  READY: { means: "plain", icon: "chevron", words: "Ready" },
  FAILED: { means: "failed", icon: "cross", words: "Failed" },
  ABANDONED: { means: "off", icon: "off", words: "Abandoned" },
  PENDING: { means: "off", icon: "clock", words: "Pending" },
};
const BLOCKED: Readonly<Record<string, TaskState>> = {
  WAITING_INPUT: { means: "waits", icon: "upload", words: "Waits for a file" },
  WAITING_APPROVAL: { means: "waits", icon: "clock", words: "Waits for you" },
  WAITING_SKILL: { means: "waits", icon: "runs", words: "Waits for a skill" },
};
const STUCK: TaskState = { means: "failed", icon: "alert", words: "Stuck" };

/** A task's state as an icon and a word; the colour says no more than they do. */
export const stateOf = ({ status, blocked_reason }: Pick<Task, "status" | "blocked_reason">): TaskState =>
  STATES[status] ?? BLOCKED[blocked_reason ?? ""] ?? STUCK;

/** The requirement of a task that takes a file of this name: one that still misses files first. */
export function fittingRequirement(
  task: Pick<Task, "requirements">,
  fileName: string,
): Requirement | undefined {
  const fitting = task.requirements.filter((one) => takesFile(one, fileName));
  return fitting.find(({ satisfied }) => !satisfied) ?? fitting[0];
}

export function takesFile(
  { kind, allowed_types }: Pick<Requirement, "kind" | "allowed_types">,
  fileName: string,
): boolean {
  if (kind !== "FILE") return false;
  const dot = fileName.lastIndexOf(".");
  const ending = dot < 0 ? "" : fileName.slice(dot + 1).toLowerCase();
  return allowed_types.length === 0 || allowed_types.includes(ending);
}
