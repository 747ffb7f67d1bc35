import { isGone, ownProcess, type ProcessMark } from "@knack/core/internal/engine";
import type { Row } from "../database.ts";
import type { Store } from "../store.ts";

/** Who holds a running row, as stored in the column `holder`. */
export interface Holder extends Omit<ProcessMark, "boot"> {
  /** The end of the lease, in milliseconds of the holder's monotonic clock. */
  readonly until: number;
  readonly leaseMs: number;
}

const FORM = /^1 (\S+) (\S+) (\d{1,10}) (\d{0,20}) (\d{1,16}) (\d{1,10})$/;

/** This process, with a lease that starts now. */
export function holderText({ monotonic }: Pick<Store, "monotonic">, leaseMs: number): string {
  const { clock, space, pid, started } = ownProcess();
  return `1 ${clock} ${space} ${pid} ${started} ${Math.ceil(monotonic() + leaseMs)} ${Math.ceil(leaseMs)}`;
}

/** `null`: an older version or another program wrote the row. */
export function readHolder(text: unknown): Holder | null {
  const [, clock, space, pid, started, until, leaseMs] = FORM.exec(String(text)) ?? [];
  if (clock === undefined || space === undefined || started === undefined) return null;
  return { clock, space, pid: Number(pid), started, until: Number(until), leaseMs: Number(leaseMs) };
}

/**
 * `over`: the key is free. `held`: it is not. `unsure`: the clocks of two machines cannot be compared, so a waiter has to
 * watch whether the lease is renewed.
 *
 * The time of day decides only between machines. On one machine a dead process holds nothing, and a lease ends by the
 * monotonic clock since boot, which nobody can set. On PostgreSQL the server's clock decides for all.
 */
export function leaseState(
  row: Row,
  store: Pick<Store, "now" | "monotonic" | "hasSharedClock">,
): "over" | "held" | "unsure" {
  const holder = readHolder(row.holder);
  const own = ownProcess();
  const isOwn = holder?.pid === own.pid && holder.space === own.space && holder.started === own.started;
  if (holder && holder.space === own.space && !isOwn && isGone(holder)) return "over";
  if (store.hasSharedClock) return String(row.lease_until) <= store.now().toISOString() ? "over" : "held";
  // A process can always compare with its own clock.
  if (holder && (isOwn || (holder.clock === own.clock && own.clock !== "-"))) {
    // No lease ends later than its full length from now, so Knack did not write this end.
    const left = holder.until - store.monotonic();
    return left <= 0 ? "over" : left > holder.leaseMs + 1 ? "unsure" : "held";
  }
  if (holder && holder.space === own.space) return "unsure";
  return String(row.lease_until) <= store.now().toISOString() ? "over" : "unsure";
}
