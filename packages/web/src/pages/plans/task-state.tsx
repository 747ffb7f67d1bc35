import type { Answer } from "../../api/client.ts";
import { Badge, type Meaning } from "../../parts/look/badge.tsx";
import type { IconName } from "../../parts/look/icon.tsx";

export type Plan = Answer<"/api/plans/{id}/view">;
export type Task = Plan["tasks"][number];
export type Requirement = Task["requirements"][number];

export interface TaskState {
  readonly means: Meaning;
  readonly icon: IconName;
  readonly words: string;
}

/** A task's state as an icon and a word; the colour says no more than they do. */
export function stateOf({ status, blocked_reason }: Pick<Task, "status" | "blocked_reason">): TaskState {
  switch (status) {
    case "DONE":
      return { means: "done", icon: "check", words: "Done" };
    case "IN_PROGRESS":
      return { means: "waits", icon: "play", words: "Running" };
    case "READY":
      return { means: "plain", icon: "chevron", words: "Ready" };
    case "FAILED":
      return { means: "failed", icon: "cross", words: "Failed" };
    case "ABANDONED":
      return { means: "off", icon: "off", words: "Abandoned" };
    case "PENDING":
      return { means: "off", icon: "clock", words: "Pending" };
    default:
      return blockedOf(blocked_reason);
  }
}

function blockedOf(reason: Task["blocked_reason"]): TaskState {
  if (reason === "WAITING_INPUT") return { means: "waits", icon: "upload", words: "Waits for a file" };
  if (reason === "WAITING_APPROVAL") return { means: "waits", icon: "clock", words: "Waits for you" };
  if (reason === "WAITING_SKILL") return { means: "waits", icon: "runs", words: "Waits for a skill" };
  return { means: "failed", icon: "alert", words: "Stuck" };
}

export function TaskBadge({ task }: { readonly task: Pick<Task, "status" | "blocked_reason"> }) {
  const { means, icon, words } = stateOf(task);
  return (
    <Badge means={means} icon={icon}>
      {words}
    </Badge>
  );
}
