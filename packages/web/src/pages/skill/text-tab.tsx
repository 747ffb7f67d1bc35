import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useResource } from "../../api/resource.ts";
import { Button } from "../../parts/look/button.tsx";
import { count, plural } from "../../parts/look/words.tsx";
import { skillPath } from "../../parts/skill/skill-words.ts";
import { Loaded } from "../../parts/state/states.tsx";
import { CodeBlock } from "../../parts/text/code-block.tsx";
import { Markdown } from "../../parts/text/markdown.tsx";
import { tokensOf } from "./tokens.ts";

/** The text for people, and beside it exactly what a model reads. */
export function TextTab({ id }: { readonly id: string }) {
  const loaded = useResource("/api/skills/{id}/load", { path: { id } }, { reloadOn: ["catalog"] });
  const { query } = useLocation();
  const [isBeside, setBeside] = useState(query.model !== "off");
  return (
    <Loaded of={loaded} rows={12}>
      {({ text, data }) => {
        const content = String(data.content ?? "");
        return (
          <div class={isBeside ? "reading reading-both" : "reading"}>
            <section aria-label="Text">
              <div class="reading-head">
                <h2>Text</h2>
                <Button
                  small
                  look="quiet"
                  icon="eye"
                  aria-pressed={isBeside}
                  onClick={() => setBeside(!isBeside)}
                >
                  {isBeside ? "Hide what a model reads" : "Show what a model reads"}
                </Button>
              </div>
              <Markdown text={content} linkTo={(path) => fileLink(id, path)} />
            </section>
            {isBeside && (
              <section aria-label="What a model reads">
                <div class="reading-head">
                  <h2>What a model reads</h2>
                  <span class="quiet small" title="About four letters each">
                    about {plural(tokensOf(text), "token")}, {count(text.length)} characters
                  </span>
                </div>
                <CodeBlock text={text} label="what a model reads" wrap />
              </section>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

/** A link to a file beside the skill opens it here; others are only text. */
function fileLink(id: string, path: string): string | undefined {
  const clean = path.replace(/^\.\//, "").replace(/#.*$/, "");
  if (clean === "" || /^[a-z][a-z0-9+.-]*:|^\/|\.\.\/|\\/i.test(clean)) return undefined;
  return `${skillPath(id)}?tab=files&file=${encodeURIComponent(decode(clean))}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not encoded, only a percent sign.
    return text;
  }
}
