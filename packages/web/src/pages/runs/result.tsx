import { useEffect, useState } from "preact/hooks";
import { type Answer, fetchBlob, request, saveFile, toApiError, urlOf } from "../../api/client.ts";
import { ActionButton } from "../../parts/action.tsx";
import { CodeBlock, codeLanguage, shownJson } from "../../parts/code.tsx";
import { Button, CopyText, Icon, size } from "../../parts/look.tsx";
import { Markdown } from "../../parts/markdown.tsx";
import { Empty, Failed, Loading } from "../../parts/states.tsx";

type Run = Answer<"/api/runs/{id}">;
type Artifact = Run["artifacts"][number];

/** The artifacts of a run, of which the first is open, and its evidence. */
export function RunResult({ run }: { run: Run }) {
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
    <div class="stack">
      {run.artifacts.map((artifact, place) => (
        <ArtifactView key={artifact.name} run={run.id} artifact={artifact} isOpen={place === 0} />
      ))}
      {run.evidences.map((evidence, place) => (
        <section key={place} class="stack" aria-label={`Evidence ${evidence.kind}`}>
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

interface ArtifactViewProps {
  readonly run: string;
  readonly artifact: Artifact;
  readonly isOpen: boolean;
}

function ArtifactView({ run, artifact, isOpen }: ArtifactViewProps) {
  const [isShown, setShown] = useState(isOpen);
  const { name, path, size_bytes, format, version } = artifact;
  const url = urlOf("/api/runs/{id}/artifacts/{name}", { path: { id: run, name } });
  return (
    <section class="stack apart" aria-label={`Artifact ${name}`}>
      <div class="row wrap">
        <Icon name="file" />
        <b class="mono">{name}</b>
        <span class="quiet small">
          {format} · {size(size_bytes)} · version {version}
        </span>
        <span class="row push">
          <Button
            words="Preview"
            small
            icon="eye"
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
          />
          <ActionButton
            words="Download"
            small
            icon="download"
            run={() => saveFile(url, path.split("/").at(-1) ?? name)}
          />
        </span>
      </div>
      <CopyText text={path} name={`Copy the path of ${name}`} />
      {isShown && <Preview url={url} artifact={artifact} />}
    </section>
  );
}

/** As much text as a reader looks at; the download has all of it. */
const MAX_TEXT = 256 * 1024;
const MAX_PICTURE = 32 * 1024 * 1024;

type Shown =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image" | "pdf"; readonly address: string };

/**
 * The content of an artifact, as the media type shows it that the server gives it. It is fetched with the token and shown from
 * memory; nothing in it is executed.
 */
function Preview({ url, artifact }: { url: string; artifact: Artifact }) {
  const { format, path, size_bytes, name } = artifact;
  const [shown, setShown] = useState<Shown>();
  const [error, setError] = useState<Error>();
  const [turn, setTurn] = useState(0);

  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    let address = "";
    const load = async (): Promise<Shown> => {
      const { headers } = await request(url, { method: "HEAD", signal });
      const [group, kind] = headers.get("content-type")?.split(/[/;]/) ?? [];
      if (group === "text")
        return { kind: "text", text: await (await fetchBlob(`${url}?first=${MAX_TEXT}`, signal)).text() };
      if ((group !== "image" && kind !== "pdf") || size_bytes > MAX_PICTURE) return { kind: "none" };
      address = URL.createObjectURL(await fetchBlob(url, signal));
      return { kind: kind === "pdf" ? "pdf" : "image", address };
    };
    setError(undefined);
    load().then(setShown, (failure: unknown) => {
      if (!signal.aborted) setError(toApiError(failure));
    });
    return () => {
      stop.abort();
      if (address !== "") URL.revokeObjectURL(address);
    };
  }, [url, turn]);

  if (error) return <Failed error={error} onRetry={() => setTurn(turn + 1)} />;
  if (!shown) return <Loading rows={4} />;
  if (shown.kind === "none")
    return (
      <Empty
        icon="file"
        title={
          size_bytes > MAX_PICTURE
            ? `It is too large to show (${size(size_bytes)}).`
            : `${format || "This kind of"} files have no preview.`
        }
      >
        Download it to open it.
      </Empty>
    );
  if (shown.kind === "text")
    return (
      <>
        {/^(?:md|markdown)$/i.test(format) || /\.(?:md|markdown)$/i.test(path) ? (
          <div class="artifact-markdown box">
            <Markdown text={shown.text} />
          </div>
        ) : (
          <CodeBlock text={shown.text} language={codeLanguage(path)} label={`Content of ${name}`} wrap />
        )}
        {size_bytes > MAX_TEXT && (
          <p class="quiet small">The first {size(MAX_TEXT)}. Download the file to see all of it.</p>
        )}
      </>
    );
  const { address } = shown;
  if (shown.kind === "image")
    return (
      <div class="artifact-picture box">
        <img src={address} alt={`Artifact ${name}`} />
      </div>
    );
  // The browser's own viewer, where it has one.
  if (!navigator.pdfViewerEnabled)
    return <Empty icon="file" title="This browser shows no PDF here. Download the file to open it." />;
  return (
    <>
      <iframe class="artifact-pdf box" src={`${address}#navpanes=0&view=FitH`} title={`Artifact ${name}`} />
      <p class="small">
        <a href={address} target="_blank" rel="noopener">
          Open in a new tab
        </a>
      </p>
    </>
  );
}
