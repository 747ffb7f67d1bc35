import { useState } from "preact/hooks";
import { download } from "../../../api/bytes.ts";
import { urlOf } from "../../../api/client.ts";
import { toast } from "../../../parts/float/toast.tsx";
import { Button } from "../../../parts/look/button.tsx";
import { CopyButton } from "../../../parts/look/copy-button.tsx";
import { Icon } from "../../../parts/look/icon.tsx";
import { size } from "../../../parts/look/words.tsx";
import type { RunDetail } from "../run-state.tsx";
import { Compare } from "./compare.tsx";
import { Preview } from "./preview.tsx";
import "./artifacts.css";

type Artifact = RunDetail["artifacts"][number];

/** One file that a run made: its preview, its versions, a download. */
export function ArtifactView({
  run,
  artifact,
  isOpen,
}: {
  readonly run: RunDetail;
  readonly artifact: Artifact;
  readonly isOpen: boolean;
}) {
  const [shown, show] = useState<"preview" | "versions" | null>(isOpen ? "preview" : null);
  const { name, path, size_bytes, format, version } = artifact;
  const url = urlOf("/api/runs/{id}/artifacts/{name}", { path: { id: run.id, name } });
  const save = (): void => {
    download(url, path.split("/").at(-1) ?? name).catch((error: unknown) =>
      toast(error instanceof Error ? error.message : String(error), { isFailure: true }),
    );
  };
  const toggle = (what: "preview" | "versions") => () => show(shown === what ? null : what);
  return (
    <section class="artifact" aria-label={`Artifact ${name}`}>
      <div class="artifact-head">
        <Icon name="file" />
        <b class="mono">{name}</b>
        <span class="quiet small">
          {format} · {size(size_bytes)} · version {version}
        </span>
        <span class="artifact-actions">
          <Button small icon="eye" aria-pressed={shown === "preview"} onClick={toggle("preview")}>
            Preview
          </Button>
          <Button small icon="undo" aria-pressed={shown === "versions"} onClick={toggle("versions")}>
            Versions
          </Button>
          <Button small icon="download" onClick={save}>
            Download
          </Button>
        </span>
      </div>
      <p class="run-path small">
        <code class="clip">{path}</code>
        <CopyButton text={path} name={`Copy the path of ${name}`} />
      </p>
      {shown === "preview" && <Preview url={url} artifact={artifact} />}
      {shown === "versions" && <Compare run={run.id} artifact={artifact} />}
    </section>
  );
}
