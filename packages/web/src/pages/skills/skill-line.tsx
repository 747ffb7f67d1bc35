import { Time } from "../../parts/look/words.tsx";
import { markedWords, SCOPE_WORDS, type SkillRow } from "../../parts/skill/skill-words.ts";
import { StateBadge } from "../../parts/skill/state-badge.tsx";
import { Marks } from "../../parts/text/marks.tsx";

/** A skill in the list: its name, what it does, where it is from, its state or last use. */
export function SkillLine({ row }: { readonly row: SkillRow }) {
  const words = markedWords(row.match?.matched ?? []);
  return (
    <div class={`skill-line ${row.state === "active" ? "" : "skill-line-off"}`}>
      <span class="skill-name mono clip">
        <Marks text={row.name} words={words} />
      </span>
      <span class="skill-what clip">
        <Marks text={row.description} words={words} />
      </span>
      <span class="skill-where clip quiet">{row.client ?? SCOPE_WORDS[row.scope]}</span>
      <span class="skill-state clip quiet">
        {row.state !== "active" ? (
          <StateBadge state={row.state} reason={row.reason} />
        ) : row.last_used ? (
          <DayTime day={row.last_used} />
        ) : (
          "Never used"
        )}
      </span>
    </div>
  );
}

/** A day has no time of day: today is "today", not "in 3 hours". */
function DayTime({ day }: { readonly day: string }) {
  const isToday = day === new Date().toLocaleDateString("sv");
  return isToday ? <span title={day}>Today</span> : <Time at={`${day}T12:00:00`} />;
}
