/** A plan: tasks, what each waits for and the skill it runs (interfaces: `plan.yaml`). */
export interface Plan {
  readonly id: string;
  readonly title: string;
  readonly file: string;
  /** Of the file's text: every edit makes a changed plan, so that an edit can give a task that failed another chance. */
  readonly sha256: string;
  readonly tasks: readonly PlanTask[];
}

export interface PlanTask {
  readonly id: string;
  readonly title: string;
  /** `null` for a task that is done by its requirements alone. */
  readonly skill: string | null;
  readonly dependsOn: readonly string[];
  readonly inputs: readonly TaskInput[];
  readonly params: Readonly<Record<string, unknown>>;
  readonly requirements: readonly Requirement[];
}

/** A file of the project, or an artifact of a task before this one. */
export type TaskInput =
  | { readonly role: string | null; readonly file: string }
  | { readonly role: string | null; readonly task: string; readonly artifact: string };

export const REQUIREMENT_KINDS = ["FILE", "CONFIRMATION", "SKILL_OUTPUT"] as const;
export type RequirementKind = (typeof REQUIREMENT_KINDS)[number];

export interface Requirement {
  readonly name: string;
  readonly kind: RequirementKind;
  readonly required: boolean;
  readonly minCount: number;
  /** Endings of file names, lower-cased, without the dot; empty allows all. */
  readonly allowedTypes: readonly string[];
  /** A file dropped without saying for what must have one of these in its name. */
  readonly filenameKeywords: readonly string[];
  /** Of SKILL_OUTPUT: whose run, and which evidence of it; `null` takes any. */
  readonly skill: string | null;
  readonly evidence: string | null;
  /** Of SKILL_OUTPUT: the task of this plan whose last run counts; `null` takes those of every task, and runs by hand. */
  readonly task: string | null;
}

export type TaskStatus = "PENDING" | "READY" | "IN_PROGRESS" | "BLOCKED" | "DONE" | "FAILED" | "ABANDONED";
export type BlockedReason = "WAITING_INPUT" | "WAITING_APPROVAL" | "WAITING_SKILL" | "WAITING_EXTERNAL";
