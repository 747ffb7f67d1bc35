import { Badge, type Meaning } from "../look/badge.tsx";
import { type SkillState, STATE_WORDS } from "./skill-words.ts";

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
