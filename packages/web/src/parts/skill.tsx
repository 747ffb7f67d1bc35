import { type Answer, post } from "../api/client.ts";
import { useResource } from "../api/data.ts";
import { me, whyNot } from "../api/session.ts";
import { act } from "./action.tsx";
import { toast } from "./float.tsx";
import { Badge, Button, Command, plural, type State } from "./look.tsx";
import { Empty } from "./states.tsx";

export type SkillRow = Answer<"/api/skills">["skills"][number];
type SkillState = SkillRow["state"];

export const STATES: Readonly<Record<SkillState, State>> = {
  active: { means: "done", words: "Active" },
  ambiguous: { means: "waits", words: "Ambiguous" },
  denied: { means: "failed", words: "Denied" },
  disabled: { means: "off", words: "Disabled" },
  ineligible: { means: "off", words: "Not usable here" },
  shadowed: { means: "off", words: "Hidden by another" },
  unverified: { means: "waits", words: "Changed since locked" },
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

export function StateBadge({ state, reason }: { state: SkillState; reason?: string }) {
  return <Badge {...STATES[state]} title={reason} />;
}

type PolicyAction = "allow" | "deny" | "enable" | "disable";

const DONE: Readonly<Record<PolicyAction, string>> = {
  allow: "Allowed",
  deny: "Denied",
  enable: "Enabled",
  disable: "Disabled",
};

/** Changes a rule or switch and says so, with a way back. `changed` is called after each change, undone ones too. */
export async function changeSkill(
  { id, name }: { readonly id: string; readonly name: string },
  action: PolicyAction,
  changed: () => void,
): Promise<void> {
  const why = whyNot("owner");
  if (why !== undefined) toast(why, { isFailure: true });
  else
    await act(async () => {
      const { effective, obstacles, undo } = await post("/api/policy", { action, skill: id });
      changed();
      const words = effective
        ? `${DONE[action]} ${name}.`
        : `${name} is not ${DONE[action].toLowerCase()} yet: ${obstacles.join("; ")}`;
      const takeBack = (): void =>
        void act(
          () => post("/api/policy/undo", { undo: undo ?? "" }),
          `${name} is as it was before.`,
          changed,
        );
      toast(words, { isFailure: !effective, undo: undo === null ? undefined : takeBack });
    });
}

interface PolicyButtonsProps {
  readonly skill: { readonly id: string; readonly name: string };
  readonly state: SkillState;
  readonly changed: () => void;
}

/** The two switches of a skill: whether it is in the catalog, and whether a model may load it. */
export function PolicyButtons({ skill, state, changed }: PolicyButtonsProps) {
  const isDisabled = state === "disabled";
  const isDenied = state === "denied";
  return (
    <>
      <Button
        words={isDisabled ? "Enable" : "Disable"}
        needs="owner"
        icon={isDisabled ? "check" : "off"}
        onClick={() => void changeSkill(skill, isDisabled ? "enable" : "disable", changed)}
      />
      {!isDisabled && (
        <Button
          words={isDenied ? "Allow" : "Deny"}
          needs="owner"
          icon={isDenied ? "check" : "cross"}
          look={isDenied ? "plain" : "danger"}
          onClick={() => void changeSkill(skill, isDenied ? "allow" : "deny", changed)}
        />
      )}
    </>
  );
}

const FEW = 12;

/** The skills that wait for trust, for the owner to read before they decide. */
export function WaitingSkills() {
  const waiting = useResource(me.value?.role === "owner" ? "/api/review" : null).data;
  if (!waiting || waiting.count === 0) return null;
  return (
    <p class="small">
      Read them first:{" "}
      {waiting.skills.slice(0, FEW).map(({ id, name }, place) => (
        <span key={id}>
          {place > 0 && ", "}
          <a class="mono" href={skillPath(id)}>
            {name}
          </a>
        </span>
      ))}
      {waiting.count > FEW && ` and ${plural(waiting.count - FEW, "more", "more")}`}
    </p>
  );
}

export function NoSkills({ waiting = 0 }: { waiting?: number }) {
  return waiting > 0 ? (
    <Empty
      icon="trust"
      title={`${plural(waiting, "skill")} of this project wait until you trust it. In the project, run:`}
    >
      <Command text="knack trust" />
      <WaitingSkills />
    </Empty>
  ) : (
    <Empty icon="skills" title="There are no skills here yet. Make the first one, or get some:">
      <Command text="knack new my-skill" />
      <Command text="knack add owner/repo" />
    </Empty>
  );
}
