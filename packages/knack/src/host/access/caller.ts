import { AsyncLocalStorage } from "node:async_hooks";
import type { Role } from "@knack/engine";

/** Who a request is from, by the token that it carries. */
export interface Caller {
  /** Tells one token from another without revealing it. */
  readonly id: string;
  /** `null`: the user's own token, which has no name. */
  readonly name: string | null;
  readonly role: Role;
}

const current = new AsyncLocalStorage<Caller>();

/** Does `work` for a caller: until its end, also in what it starts, the log names the caller's token. */
export function actFor<T>(caller: Caller, work: () => T): T {
  return current.run(caller, work);
}

/** For whom the current work is done; `undefined` outside of a request. */
export function currentCaller(): Caller | undefined {
  return current.getStore();
}

/** Whether the current work is done for a named token: its holder has no account on this machine. */
export function isNamed(): boolean {
  return typeof currentCaller()?.name === "string";
}

/** Whom the log names: the token of the current request, else the program itself. */
export function actorOr(own: string): string {
  return isNamed() ? `token:${currentCaller()?.name}` : own;
}
