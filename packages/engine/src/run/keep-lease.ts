import { renewLease } from "../store/runs/claim.ts";
import { type Store, StoreError } from "../store/store.ts";

const LOST = new Error("The lease of this run was lost.");

/**
 * Renews a run's lease while it runs. The signal says when the work must end: because the caller wants that, or because the
 * lease was lost and its result could not be recorded any more.
 */
export function keepLease(
  store: Store,
  runId: string,
  leaseMs: number,
  outer: AbortSignal,
): { readonly signal: AbortSignal; readonly isLost: () => boolean; readonly stop: () => void } {
  const lost = new AbortController();
  let renewing = Promise.resolve();
  const renew = async (): Promise<void> => {
    try {
      if ((await renewLease(store, runId, leaseMs)) === null) lost.abort(LOST);
    } catch (error) {
      // A database that is busy or full for a moment may answer before the lease ends, and the lease itself decides.
      if (!(error instanceof StoreError)) lost.abort(error);
    }
  };
  const timer = setInterval(() => {
    renewing = renewing.then(renew);
  }, leaseMs / 3);
  timer.unref();
  return {
    signal: AbortSignal.any([outer, lost.signal]),
    isLost: () => lost.signal.reason === LOST && !outer.aborted,
    stop: () => clearInterval(timer),
  };
}
