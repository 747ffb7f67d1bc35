import { EngineError, type EngineErrorCode } from "../../shared/engine-error.ts";
import type { TaskStatus } from "../plan.ts";

/** A run that another process refused or cancelled, and whose task it has settled. */
export class SettledRefusal extends EngineError {
  readonly status: TaskStatus;

  constructor(code: EngineErrorCode, message: string, status: TaskStatus) {
    super(code, message);
    this.status = status;
  }
}

/** The run of a task waits for a worker, and nobody here waits for it. */
export class QueuedElsewhere extends Error {}
