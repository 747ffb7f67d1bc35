import { ApiError, post } from "../../api/client.ts";
import { whyNot } from "../../api/me.ts";
import { toast } from "../float/toast.tsx";

export type PolicyAction = "allow" | "deny" | "enable" | "disable";

const DONE: Readonly<Record<PolicyAction, string>> = {
  allow: "Allowed",
  deny: "Denied",
  enable: "Enabled",
  disable: "Disabled",
};

/** Changes a rule or switch and says so, with a way back. `changed` is called after each change, undone ones too. */
export async function changePolicy(
  { id, name }: { readonly id: string; readonly name: string },
  action: PolicyAction,
  changed: () => void,
): Promise<void> {
  const why = whyNot("owner");
  if (why !== undefined) {
    toast(why, { isFailure: true });
    return;
  }
  try {
    const { effective, obstacles, undo } = await post(
      "/api/skills/{id}/policy",
      { action },
      { path: { id } },
    );
    changed();
    const takeBack = undo === null ? {} : { undo: () => void undoChange(undo, name, changed) };
    if (effective) toast(`${DONE[action]} ${name}.`, takeBack);
    else
      toast(`${name} is not ${DONE[action].toLowerCase()} yet: ${obstacles.join("; ")}`, {
        isFailure: true,
        ...takeBack,
      });
  } catch (error) {
    tell(error);
  }
}

async function undoChange(undo: string, name: string, changed: () => void): Promise<void> {
  try {
    await post("/api/policy/undo", { undo });
    changed();
    toast(`${name} is as it was before.`);
  } catch (error) {
    tell(error);
  }
}

function tell(error: unknown): void {
  toast(error instanceof ApiError ? error.message : String(error), { isFailure: true });
}
