import { Button } from "../look/button.tsx";
import { changePolicy } from "./change-policy.ts";
import type { SkillState } from "./skill-words.ts";

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
