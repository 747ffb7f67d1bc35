import { dotText, mermaidText } from "@knack/core/text";
import type { TaskStatus } from "./plan.ts";
import type { TaskReport } from "./plan-report.ts";

type DrawnTask = Pick<TaskReport, "id" | "title" | "status" | "blocked_reason" | "depends_on">;

export function planAsMermaid(tasks: readonly DrawnTask[]): string {
  const names = nodeNames(tasks);
  const lines = [
    "flowchart LR",
    ...tasks.map(
      (task) =>
        `  ${names.get(task.id)}["${linesOf(task, mermaidText).join("<br/>")}"]:::${task.status.toLowerCase()}`,
    ),
    ...edges(tasks, (from, to) => `  ${names.get(from)} --> ${names.get(to)}`),
    "  classDef done fill:#d9f2d9,stroke:#2e7d32",
    "  classDef ready fill:#dbeafe,stroke:#1d4ed8",
    "  classDef in_progress fill:#dbeafe,stroke:#1d4ed8,stroke-dasharray:4",
    "  classDef blocked fill:#fef3c7,stroke:#b45309",
    "  classDef failed fill:#fee2e2,stroke:#b91c1c",
    "  classDef pending,abandoned fill:#f3f4f6,stroke:#6b7280",
  ];
  return `${lines.join("\n")}\n`;
}

const COLOURS: Readonly<Record<TaskStatus, string>> = {
  DONE: "#2e7d32",
  READY: "#1d4ed8",
  IN_PROGRESS: "#1d4ed8",
  BLOCKED: "#b45309",
  FAILED: "#b91c1c",
  PENDING: "#6b7280",
  ABANDONED: "#6b7280",
};

export function planAsDot(tasks: readonly DrawnTask[]): string {
  const lines = [
    "digraph plan {",
    "  rankdir=LR;",
    "  node [shape=box];",
    ...tasks.map(
      (task) => `  ${dotText(task.id)} [label=${dotText(linesOf(task))}, color="${COLOURS[task.status]}"];`,
    ),
    ...edges(tasks, (from, to) => `  ${dotText(from)} -> ${dotText(to)};`),
    "}",
  ];
  return `${lines.join("\n")}\n`;
}

function linesOf({ id, title, status, blocked_reason }: DrawnTask, written = (text: string): string => text) {
  const name = title === "" || title === id ? [id] : [id, title];
  return [name.map(written).join(": "), blocked_reason === null ? status : `${status}: ${blocked_reason}`];
}

function edges(tasks: readonly DrawnTask[], line: (from: string, to: string) => string): string[] {
  return tasks.flatMap(({ id, depends_on }) => depends_on.map((before) => line(before, id)));
}

/** Ids may be words that Mermaid keeps for itself. */
function nodeNames(tasks: readonly DrawnTask[]): ReadonlyMap<string, string> {
  return new Map(tasks.map(({ id }, place) => [id, `t${place + 1}`]));
}
