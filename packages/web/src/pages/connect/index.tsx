import { useState } from "preact/hooks";
import { type Answer, type ApiError, get, post, toApiError } from "../../api/client.ts";
import { useResource } from "../../api/data.ts";
import { act } from "../../parts/action.tsx";
import { CodeBlock, Diff } from "../../parts/code.tsx";
import { Dialog, toast } from "../../parts/float.tsx";
import { Badge, Button, Command } from "../../parts/look.tsx";
import { PageHead } from "../../parts/page.tsx";
import { Failed, Loaded } from "../../parts/states.tsx";
import { Access } from "./access.tsx";
import "./connect.css";

type Client = Answer<"/api/connect">["clients"][number];
type Preview = Answer<"/api/connect/{client}">;

/** A change of an agent's file that the user wants to see. */
interface WantedChange {
  readonly client: Client["client"];
  readonly title: string;
  readonly action: "set up" | "remove";
}

/** Every agent on this machine, with one button or one line to give it the skills. */
export function Page() {
  const clients = useResource("/api/connect", undefined, { reloadOn: ["clients"] });
  const [wanted, setWanted] = useState<WantedChange>();
  return (
    <div class="page page-connect">
      <PageHead title="Connect" />
      <p class="prose quiet">
        An agent that is set up starts <code>knack mcp</code> and gets the skills of the project it works in.
        Knack adds its entry and its hooks to the agent's own files, shows you the change first and keeps a
        backup.
      </p>
      <Loaded of={clients} rows={8}>
        {(data) => {
          const here = data.clients.filter(({ installed, setup }) => installed || setup);
          const others = data.clients.filter((one) => !here.includes(one));
          const listed = (some: readonly Client[]) => (
            <ul class="lines">
              {some.map((one) => (
                <ClientRow key={one.client} client={one} onWant={setWanted} />
              ))}
            </ul>
          );
          return (
            <>
              <section class="section">
                <h2>On this machine</h2>
                {here.length === 0 && (
                  <p class="quiet">
                    None of the agents that Knack knows was found here. Install one, or set one up below.
                  </p>
                )}
                {listed(here)}
              </section>
              {others.length > 0 && (
                <section class="section">
                  <h2>Not found on this machine</h2>
                  {listed(others)}
                </section>
              )}
              <OtherClients url={data.mcp} />
              <Access />
            </>
          );
        }}
      </Loaded>
      {wanted && (
        <ChangeDialog
          wanted={wanted}
          onClose={() => setWanted(undefined)}
          onDone={() => {
            setWanted(undefined);
            clients.reload();
          }}
        />
      )}
    </div>
  );
}

/** One agent: its state, its file, the button and the line that does the same. */
function ClientRow({ client: one, onWant }: { client: Client; onWant: (wanted: WantedChange) => void }) {
  const { client, title, setup, current, file, command, error } = one;
  const want = (action: WantedChange["action"]) => () => onWant({ client, title, action });
  return (
    <li class="connection">
      <div class="clip">
        <b>{title}</b>
        <p class="small quiet mono clip" title={file}>
          {file}
        </p>
      </div>
      <div>
        <ClientState client={one} />
      </div>
      <div class="connection-actions row wrap">
        {setup === false && (
          <Button
            words="Set up"
            needs="owner"
            look={one.installed ? "main" : "plain"}
            aria-label={`Set up ${title}`}
            onClick={want("set up")}
          />
        )}
        {setup && current === false && (
          <Button words="Update" needs="owner" aria-label={`Update ${title}`} onClick={want("set up")} />
        )}
        {setup && (
          <Button
            words="Remove"
            needs="owner"
            look="danger"
            aria-label={`Remove from ${title}`}
            onClick={want("remove")}
          />
        )}
        <Command text={command} />
      </div>
      {error && <p class="fault">{error}</p>}
    </li>
  );
}

function ClientState({ client: { setup, transport, current, installed } }: { client: Client }) {
  if (setup === null) return <Badge means="failed" words="File is broken" />;
  if (setup && transport === "http") return <Badge means="done" words="Set up, HTTP" />;
  if (setup && current === false)
    return (
      <Badge
        means="waits"
        title="It starts another Knack than the one that serves this page, or has an older entry."
        words="Set up, out of date"
      />
    );
  if (setup) return <Badge means="done" words="Set up" />;
  return installed ? <Badge means="waits" words="Not set up" /> : <Badge means="off" words="Not found" />;
}

interface ChangeDialogProps {
  readonly wanted: WantedChange;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Shows what would be written into the file of an agent, and writes it after a yes. */
function ChangeDialog({ wanted, onClose, onDone }: ChangeDialogProps) {
  const { client, title, action } = wanted;
  const shown = useResource("/api/connect/{client}", { path: { client }, query: { action } });
  const [error, setError] = useState<ApiError>();
  const [isWriting, setWriting] = useState(false);
  const again = (): void => {
    setError(undefined);
    shown.reload();
  };
  const write = async (preview: Preview): Promise<void> => {
    setWriting(true);
    try {
      await applied(wanted, preview, onDone);
      onDone();
    } catch (failure) {
      setWriting(false);
      setError(toApiError(failure));
    }
  };
  const [question, yes, look] =
    action === "set up"
      ? ([`Set up ${title}`, "Write the change", "main"] as const)
      : ([`Remove Knack from ${title}`, "Remove the entry", "danger"] as const);
  return (
    <Dialog title={question} onClose={onClose}>
      {error ? (
        <Failed error={error} onRetry={again} />
      ) : (
        <Loaded of={shown} rows={4}>
          {(preview) => (
            <div class="stack">
              {!preview.changes && (
                <p class="small">
                  Nothing to change in <code>{preview.file}</code>
                </p>
              )}
              {preview.files.map(({ file, diff }) => (
                <div key={file} class="stack">
                  <p class="small">
                    This changes <code>{file}</code>
                  </p>
                  <Diff text={diff.join("\n")} label={`Change of ${file}`} />
                </div>
              ))}
              {preview.about.map((line) => (
                <p key={line} class="small quiet">
                  {line}
                </p>
              ))}
              {preview.remarks.map((remark) => (
                <p key={remark} class="small quiet">
                  {remark}
                </p>
              ))}
              <div class="row">
                {preview.changes && (
                  <Button
                    words={isWriting ? "Writing and checking …" : yes}
                    look={look}
                    disabled={isWriting}
                    onClick={() => void write(preview)}
                  />
                )}
                <Button words={preview.changes ? "Cancel" : "Close"} onClick={onClose} />
              </div>
            </div>
          )}
        </Loaded>
      )}
    </Dialog>
  );
}

function previewOf({ client, action }: WantedChange): Promise<Preview> {
  return get("/api/connect/{client}", { path: { client }, query: { action } });
}

/** Writes what was shown; the toast says what the agent's own check found, and undoes it. */
async function applied(wanted: WantedChange, { seen }: Preview, onDone: () => void): Promise<void> {
  const { client, title, action } = wanted;
  const outcome = await post("/api/connect/{client}", { action, seen }, { path: { client } });
  const done = action === "set up" ? `${title} is set up.` : `${title} is no longer set up.`;
  const undo = async (): Promise<void> => {
    const back: WantedChange = { ...wanted, action: action === "set up" ? "remove" : "set up" };
    const takeBack = async (): Promise<void> => {
      const body = { action: back.action, seen: (await previewOf(back)).seen };
      await post("/api/connect/{client}", body, { path: { client } });
    };
    await act(takeBack, `${title} is as it was before.`);
    onDone();
  };
  const isBroken = outcome.check?.connected === false;
  toast(`${done}${outcome.check ? ` ${outcome.check.message}` : ""}`, {
    undo: () => void undo(),
    isFailure: isBroken,
  });
}

const STDIO = `{
  "mcpServers": {
    "knack": { "command": "knack", "args": ["mcp"] }
  }
}`;

/** For agents without a button: the entry that most of them take, and the address of this server. */
function OtherClients({ url }: { url: string }) {
  return (
    <section class="section">
      <h2>Any other MCP client</h2>
      <div class="others">
        <div class="stack">
          <h3>Started by the client</h3>
          <p class="small quiet">One process for each conversation. Most clients take this entry:</p>
          <CodeBlock text={STDIO} label="entry for a client" />
        </div>
        <div class="stack">
          <h3>Through this server</h3>
          <p class="small quiet">
            Streamable HTTP, with the header <code>Authorization: Bearer TOKEN</code>. The token is in{" "}
            <code>~/.knack/token</code>; on another machine, use an access token.
          </p>
          <Command text={url} />
          <p class="small quiet">To print the entry for an agent with this address:</p>
          <Command text={`knack setup claude --print --http ${url}`} />
        </div>
      </div>
    </section>
  );
}
