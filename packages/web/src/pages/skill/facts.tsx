import type { Answer } from "../../api/client.ts";
import { CopyButton } from "../../parts/look/copy-button.tsx";
import { Time } from "../../parts/look/words.tsx";
import { SCOPE_WORDS } from "../../parts/skill/skill-words.ts";

type Skill = Answer<"/api/skills/{id}">["skill"];

/** Where a skill is, and what it declares. */
export function Facts({ skill }: { readonly skill: Skill }) {
  const places = skill.places ?? [skill.path];
  const declared: readonly (readonly [string, string | undefined])[] = [
    ["Command", skill.command && `/${skill.command}`],
    ["Needs tools", skill.requiresTools?.join(", ")],
    ["May use", skill.allowedTools?.join(", ")],
    ["Works with", skill.compatibility],
    ["Version", skill.version ?? skill.metadata?.version],
    ["Licence", skill.license],
  ];
  return (
    <dl class="facts skill-facts">
      <dt>From</dt>
      <dd>
        {SCOPE_WORDS[skill.scope]}
        {skill.client && `, folder of ${skill.client}`}, changed <Time at={skill.mtimeMs} />
      </dd>
      <dt>{places.length === 1 ? "Place" : "Places"}</dt>
      <dd>
        {places.map((place) => (
          <div key={place} class="facts-path">
            <code>{place}</code>
            <CopyButton text={place} name="Copy path" />
          </div>
        ))}
      </dd>
      {skill.disableModelInvocation && (
        <>
          <dt>For</dt>
          <dd>people only: a model cannot load it by itself</dd>
        </>
      )}
      {declared.map(
        ([title, value]) =>
          value && (
            <>
              <dt key={title}>{title}</dt>
              <dd>{value}</dd>
            </>
          ),
      )}
    </dl>
  );
}
