import { request, urlOf } from "../../api/client.ts";
import type { Requirement, Task } from "./task-state.tsx";

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

/** Uploads a file as evidence. The server checks everything again. */
export async function attachFile(plan: string, task: string, requirement: string, file: File): Promise<void> {
  const url = urlOf("/api/plans/{id}/tasks/{task}/files", {
    path: { id: plan, task },
    query: { requirement, name: file.name },
  });
  await request(url, {
    method: "POST",
    body: file,
    headers: { "Content-Type": "application/octet-stream" },
  });
}
