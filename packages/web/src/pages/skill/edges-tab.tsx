import type { Answer } from "../../api/client.ts";
import { useResource } from "../../api/resource.ts";
import { Badge } from "../../parts/look/badge.tsx";
import { LinkButton } from "../../parts/look/button.tsx";
import { EDGE_WORDS, skillPath } from "../../parts/skill/skill-words.ts";
import { Empty, Loaded } from "../../parts/state/states.tsx";

type Edges = Answer<"/api/skills/{id}/edges">;
type OneEdge = Omit<Edges["out"][number], "to"> & { readonly name: string };

/** Which skills this one leads to, and which lead to it, with the sentence behind each. */
export function EdgesTab({ id, name }: { readonly id: string; readonly name: string }) {
  const edges = useResource("/api/skills/{id}/edges", { path: { id } }, { reloadOn: ["catalog"] });
  return (
    <Loaded of={edges}>
      {({ out, in: into, dangling }) =>
        out.length + into.length + dangling.length === 0 ? (
          <Empty icon="graph" title={`${name} names no other skill, and no other skill names it.`} />
        ) : (
          <>
            <EdgeList
              title="This skill leads to"
              edges={out.map(({ to, ...edge }) => ({ ...edge, name: to }))}
            />
            <EdgeList
              title="Skills that lead here"
              edges={into.map(({ from, ...edge }) => ({ ...edge, name: from }))}
            />
            {dangling.length > 0 && (
              <section class="section">
                <h2>Missing skills</h2>
                <ul class="edges">
                  {dangling.map(({ name: missing, line }) => (
                    <li key={missing + line}>
                      <Badge means="failed" icon="alert">
                        Missing
                      </Badge>
                      <code>{missing}</code>
                      <span class="quiet small">line {line}: there is no skill of this name</span>
                    </li>
                  ))}
                </ul>
              </section>
            )}
            <p class="section">
              <LinkButton icon="graph" href={`/graph?focus=${encodeURIComponent(id)}`}>
                Show in the graph
              </LinkButton>
            </p>
          </>
        )
      }
    </Loaded>
  );
}

function EdgeList({ title, edges }: { readonly title: string; readonly edges: readonly OneEdge[] }) {
  if (edges.length === 0) return null;
  return (
    <section class="section">
      <h2>{title}</h2>
      <ul class="edges">
        {edges.map(({ id, name, type, alternative, line, text, rules }) => (
          <li key={`${name} ${line} ${type}`}>
            <Badge
              means={type === "requires_now" ? "waits" : "plain"}
              {...(type === "requires_now" ? { icon: "link" as const } : {})}
            >
              {EDGE_WORDS[type]}
            </Badge>
            {id ? (
              <a class="mono" href={skillPath(id)}>
                {name}
              </a>
            ) : (
              <code>{name}</code>
            )}
            {alternative && <span class="quiet small">one of several</span>}
            <p class="small edge-sentence" title={`Rules: ${rules.join(", ")}`}>
              <span class="quiet">Line {line}: </span>
              {text}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
