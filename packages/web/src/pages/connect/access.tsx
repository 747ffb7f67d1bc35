import { useState } from "preact/hooks";
import { type Answer, remove } from "../../api/client.ts";
import { article, me } from "../../api/me.ts";
import { useResource } from "../../api/resource.ts";
import { Dialog } from "../../parts/float/dialog.tsx";
import { toast } from "../../parts/float/toast.tsx";
import { Table } from "../../parts/list/table.tsx";
import { Badge } from "../../parts/look/badge.tsx";
import { Button } from "../../parts/look/button.tsx";
import { Command } from "../../parts/look/copy-button.tsx";
import { Time } from "../../parts/look/words.tsx";
import { Loaded } from "../../parts/state/states.tsx";
import { AddToken } from "./add-token.tsx";

type Token = Answer<"/api/tokens">["tokens"][number];

/** Who else may use this server. Only an owner sees and changes it. */
export function Access() {
  const who = me.value;
  if (!who) return null;
  return (
    <section class="section" aria-labelledby="access-title">
      <h2 id="access-title">Access</h2>
      <p class="prose quiet">
        {who.name === null ? (
          <>You use the token of this machine's user, which may do everything.</>
        ) : (
          <>
            You are <b>{who.name}</b>, {article(who.role)} {who.role}.
          </>
        )}{" "}
        Give everybody else an access token of their own. A reader reads, a runner also runs skills and plans,
        an approver also confirms tasks and attaches files, an owner also changes policy and tokens.
      </p>
      {who.role === "owner" ? <Tokens /> : <p class="quiet">Only an owner can see and change the tokens.</p>}
    </section>
  );
}

function Tokens() {
  const tokens = useResource("/api/tokens", undefined, { reloadOn: ["log"] });
  const [revoking, setRevoking] = useState<Token>();
  return (
    <>
      <AddToken onAdded={tokens.reload} />
      <Loaded of={tokens} rows={3}>
        {(data) =>
          data.count === 0 ? (
            <p class="quiet">
              There are none yet. The same in a terminal:{" "}
              <Command text="knack token add alice --role reader" />
            </p>
          ) : (
            <Table
              label="Access tokens"
              rows={data.tokens}
              keyOf={({ name }) => name}
              columns={[
                { title: "Name", cell: ({ name }) => <span class="mono">{name}</span> },
                { title: "Role", cell: ({ role }) => role },
                { title: "State", cell: (token) => <State token={token} /> },
                {
                  title: "Added",
                  cell: ({ created_at, created_by }) => (
                    <>
                      <Time at={created_at} /> by {created_by}
                    </>
                  ),
                },
                {
                  title: "Action",
                  cell: (token) =>
                    token.revoked_at === null && (
                      <Button
                        small
                        look="danger"
                        aria-label={`Revoke the token of ${token.name}`}
                        onClick={() => setRevoking(token)}
                      >
                        Revoke
                      </Button>
                    ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {revoking && (
        <Revoke token={revoking} onClose={() => setRevoking(undefined)} onDone={() => tokens.reload()} />
      )}
    </>
  );
}

function State({ token: { revoked_at: at } }: { readonly token: Token }) {
  if (at === null) return <Badge means="done">Valid</Badge>;
  return (
    <Badge means="off">
      Revoked <Time at={at} />
    </Badge>
  );
}

/** It cannot be taken back, so it is asked once more. */
function Revoke({
  token: { name },
  onClose,
  onDone,
}: {
  readonly token: Token;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const revoke = async (): Promise<void> => {
    onClose();
    try {
      await remove("/api/tokens/{name}", { path: { name } });
      toast(`The token of ${name} was revoked.`);
      onDone();
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error), { isFailure: true });
    }
  };
  return (
    <Dialog title={`Revoke the token of ${name}`} onClose={onClose}>
      <p class="prose">
        The server refuses it from the next request on. Runs that it started go on. It cannot be made valid
        again.
      </p>
      <div class="change-buttons">
        <Button look="danger" onClick={() => void revoke()}>
          Revoke
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}
