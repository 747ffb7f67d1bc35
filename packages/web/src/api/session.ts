import { signal } from "@preact/signals";
import { type Answer, getUrl } from "./client.ts";
import { onEvent } from "./events.ts";

type Me = Answer<"/api/me">;
export type Role = Me["role"];

export const ROLES: readonly Role[] = ["reader", "runner", "approver", "owner"];

/** Whose token this tab has; undefined until the server has said so. */
export const me = signal<Me | undefined>(undefined);

/** What this server serves; the frame shows it on every page. */
export const status = signal<Answer<"/api/status"> | undefined>(undefined);

/** Loads both now, and again when the server is back; the status also when the skills change. */
export function followSession(): void {
  follow("/api/me", me, ["returned"]);
  follow("/api/status", status, ["catalog", "returned"]);
}

function follow(path: string, into: { value: unknown }, events: readonly string[]): void {
  const load = async (): Promise<void> => {
    try {
      into.value = await getUrl(path);
    } catch {
      // The connection's own state says that the server is gone; what was loaded last stays.
    }
  };
  for (const event of events) onEvent(event, () => void load());
  void load();
}

/** Why you may not do what needs this role; undefined if you may, or before it is known: the server decides. */
export function whyNot(needed: Role): string | undefined {
  const role = me.value?.role;
  if (role === undefined || ROLES.indexOf(role) >= ROLES.indexOf(needed)) return undefined;
  return `Needs the role ${needed}; you are ${article(role)} ${role}.`;
}

export const article = (role: Role): string => (/^[ao]/.test(role) ? "an" : "a");
