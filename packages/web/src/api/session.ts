import { signal } from "@preact/signals";
import { type Answer, get } from "./client.ts";
import { onEvent } from "./events.ts";

type Me = Answer<"/api/me">;
export type Role = Me["role"];

export const ROLES: readonly Role[] = ["reader", "runner", "approver", "owner"];

/** Whose token this tab has; undefined until the server has said so. */
export const me = signal<Me | undefined>(undefined);

/** Loads it now, and again when the server is back. */
export function followMe(): void {
  const load = async (): Promise<void> => {
    try {
      me.value = await get("/api/me");
    } catch {
      // The connection's own state says that the server is gone.
    }
  };
  onEvent("returned", () => void load());
  void load();
}

/** Why you may not do what needs this role; undefined if you may, or before it is known: the server decides. */
export function whyNot(needed: Role): string | undefined {
  const role = me.value?.role;
  if (role === undefined || ROLES.indexOf(role) >= ROLES.indexOf(needed)) return undefined;
  return `Needs the role ${needed}; you are ${article(role)} ${role}.`;
}

export const article = (role: Role): string => (/^[ao]/.test(role) ? "an" : "a");

/** What this server serves; the frame shows it on every page. */
export const status = signal<Answer<"/api/status"> | undefined>(undefined);

/** Loads it now, and again when the skills change. */
export function followStatus(): void {
  const load = async (): Promise<void> => {
    try {
      status.value = await get("/api/status");
    } catch {
      // The connection's own state says that the server is gone; the last status stays.
    }
  };
  onEvent("catalog", () => void load());
  onEvent("returned", () => void load());
  void load();
}
