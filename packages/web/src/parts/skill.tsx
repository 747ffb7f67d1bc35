import { type Answer, ApiError, post } from "../api/client.ts";
import { whyNot } from "../api/session.ts";
import { toast } from "./float.tsx";
import { Badge, Button, type Meaning } from "./look.tsx";

export type SkillRow = Answer<"/api/skills">["skills"][number];
type SkillState = SkillRow["state"];

export const STATE_WORDS: Readonly<Record<SkillState, string>> = {
  active: "Active",
  denied: "Denied",
  disabled: "Disabled",
  ineligible: "Not usable here",
  shadowed: "Hidden by another",
  unverified: "Changed since locked",
};

export const SCOPE_WORDS: Readonly<Record<SkillRow["scope"], string>> = {
  repo: "Project",
  user: "Yours",
  bundled: "Built in",
};

export const LANGUAGE_WORDS: Readonly<Record<SkillRow["language"], string>> = {
  latin: "Latin script",
  chinese: "Chinese",
  japanese: "Japanese",
  korean: "Korean",
  cyrillic: "Cyrillic",
  other: "Other",
};

/** How one skill leads to another. */
export const EDGE_WORDS = {
  requires_now: "Required now",
  requires_later: "Required later",
  reference_only: "Mentioned",
} as const;

export const MATCH_WORDS: Readonly<Record<NonNullable<SkillRow["match"]>["reason"], string>> = {
  exact_path: "This is its path",
  exact_name: "This is its name",
  prefix: "Its name begins with this",
  token_overlap: "Words in its name and description",
  body_match: "Words only in its text",
  words: "It has these words, but is not active",
};

/** A corrected word is told as "deplyo→deploy"; the text has the second. */
export const markedWords = (matched: readonly string[]): string[] =>
  matched.map((word) => word.slice(word.indexOf("→") + 1));

export const skillPath = (id: string): string => `/skills/${encodeURIComponent(id)}`;

const MEANINGS: Readonly<Record<SkillState, Meaning>> = {
  active: "done",
  denied: "failed",
  disabled: "off",
  ineligible: "off",
  shadowed: "off",
  unverified: "waits",
};

/** Whether a skill can be used. */
export function StateBadge({ state, reason }: { readonly state: SkillState; readonly reason?: string }) {
  return (
    <Badge means={MEANINGS[state]} {...(reason ? { title: reason } : {})}>
      {STATE_WORDS[state]}
    </Badge>
  );
}

type PolicyAction = "allow" | "deny" | "enable" | "disable";

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
    const { effective, obstacles, undo } = await post("/api/policy", { action, skill: id });
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

/** The two switches of a skill: whether it is in the catalog, and whether a model may load it. */
export function PolicyButtons({
  skill,
  state,
  changed,
}: {
  readonly skill: { readonly id: string; readonly name: string };
  readonly state: SkillState;
  readonly changed: () => void;
}) {
  const isDisabled = state === "disabled";
  const isDenied = state === "denied";
  return (
    <>
      <Button
        needs="owner"
        icon={isDisabled ? "check" : "off"}
        onClick={() => void changePolicy(skill, isDisabled ? "enable" : "disable", changed)}
      >
        {isDisabled ? "Enable" : "Disable"}
      </Button>
      {!isDisabled && (
        <Button
          needs="owner"
          icon={isDenied ? "check" : "cross"}
          look={isDenied ? "plain" : "danger"}
          onClick={() => void changePolicy(skill, isDenied ? "allow" : "deny", changed)}
        >
          {isDenied ? "Allow" : "Deny"}
        </Button>
      )}
    </>
  );
}
