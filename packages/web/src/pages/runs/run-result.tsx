import { Empty } from "../../parts/state/states.tsx";
import { CodeBlock } from "../../parts/text/code-block.tsx";
import { shownJson } from "../../parts/text/shown-json.ts";
import { ArtifactView } from "./artifacts/artifact.tsx";
import type { RunDetail } from "./run-state.tsx";

/** What the run made: files, and evidence. */
export function RunResult({ run }: { readonly run: RunDetail }) {
  if (run.status === "RUNNING")
    return <Empty icon="clock" title="The result is here when the run has ended." />;
  if (run.artifacts.length === 0 && run.evidences.length === 0)
    return (
      <Empty
        title={
          run.error ? "A failed run has no result. Its log may say more." : "The skill returned nothing."
        }
      />
    );
  return (
    <div class="run-part">
      {run.artifacts.map((artifact, place) => (
        <ArtifactView key={artifact.name} run={run} artifact={artifact} isOpen={place === 0} />
      ))}
      {run.evidences.map((evidence, place) => (
        <section key={place} class="evidence" aria-label={`Evidence ${evidence.kind}`}>
          <h3>
            Evidence <code>{evidence.kind}</code>
          </h3>
          <CodeBlock
            text={shownJson(evidence.data)}
            language="json"
            label={`Evidence ${evidence.kind}`}
            wrap
          />
        </section>
      ))}
    </div>
  );
}
