import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useResource } from "../../api/resource.ts";
import { Icon } from "../../parts/look/icon.tsx";
import { useShortcuts } from "../../parts/page/shortcuts.ts";
import { PageHead } from "../../parts/page/title.tsx";
import { LiveView } from "../../parts/state/gone.tsx";
import { Loaded } from "../../parts/state/states.tsx";
import { Outcome } from "./outcome.tsx";
import { Ranking } from "./ranking.tsx";
import { Starts } from "./starts.tsx";
import "./try.css";

/** The answer is asked for when nobody has typed for this long. */
const PAUSE_MS = 180;

/** A playground: what a request would lead to, without recording or loading anything. */
export function Page() {
  const { query, route } = useLocation();
  const asked = query.q ?? "";
  const skill = query.skill;
  const [text, setText] = useState(asked);
  const field = useRef<HTMLTextAreaElement>(null);
  const go = (q: string, chosen?: string, replace = true): void => {
    const search = new URLSearchParams({ ...(q ? { q } : {}), ...(chosen ? { skill: chosen } : {}) });
    route(`/try${search.size > 0 ? `?${search}` : ""}`, replace);
  };
  // Going back and links change the address without a key.
  useEffect(() => setText(asked), [asked]);
  useEffect(() => {
    if (text.trim() === asked.trim()) return;
    const timer = setTimeout(() => go(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => field.current?.focus(), []);
  useShortcuts("Try", [{ keys: "e", words: "Edit the request", run: () => field.current?.focus() }]);
  const trial = useResource(
    asked === "" ? null : "/api/try",
    { query: { q: asked, ...(skill ? { skill } : {}) } },
    { reloadOn: ["catalog"], keepPrevious: true },
  );
  return (
    <div class="page try">
      <PageHead title="Try" />
      <div class="try-ask">
        <Icon name="try" size={18} />
        <textarea
          ref={field}
          rows={2}
          aria-label="A request, as you would type it to an agent"
          placeholder="Type a request as you would type it to an agent, in any language"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            go(text.trim());
          }}
        />
      </div>
      <p class="small quiet try-note">Nothing here is recorded, and nothing counts as loaded.</p>
      {asked === "" ? (
        <Starts onChoose={(words) => go(words, undefined, false)} />
      ) : (
        <LiveView>
          <Loaded of={trial} rows={8}>
            {(data) => (
              <div class="try-split">
                <Ranking data={data} onChoose={(id) => go(asked, id, false)} />
                <Outcome data={data} />
              </div>
            )}
          </Loaded>
        </LiveView>
      )}
    </div>
  );
}
