import { useState } from "preact/hooks";
import { type PostAnswer, post, sendDelete } from "../../api/client.ts";
import { useResource } from "../../api/data.ts";
import { article, me, ROLES, type Role } from "../../api/session.ts";
import { ActionButton, FormButton, TextField } from "../../parts/action.tsx";
import { Dialog } from "../../parts/float.tsx";
import { Table } from "../../parts/list.tsx";
import { Badge, Button, Command, type State, Time } from "../../parts/look.tsx";
import { Loaded } from "../../parts/states.tsx";

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
  return (
    <>
      <AddToken onAdded={tokens.reload} />
      <Loaded of={tokens} rows={3}>
        {(data, reload) =>
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
                ["Name", ({ name }) => <span class="mono">{name}</span>],
                ["Role", ({ role }) => role],
                ["State", ({ revoked_at }) => <Badge {...stateOf(revoked_at)} />],
                [
                  "Added",
                  ({ created_at, created_by }) => [<Time key="" at={created_at} />, " by ", created_by],
                ],
                ["Action", ({ name, revoked_at: at }) => !at && <Revoke name={name} onDone={reload} />],
              ]}
            />
          )
        }
      </Loaded>
    </>
  );
}

const stateOf = (revokedAt: string | null): State =>
  revokedAt === null
    ? { means: "done", words: "Valid" }
    : { means: "off", words: ["Revoked ", <Time key="time" at={revokedAt} />] };

/** It cannot be taken back, so it is asked once more. */
function Revoke({ name, onDone }: { name: string; onDone: () => void }) {
  return (
    <ActionButton
      words="Revoke"
      small
      look="danger"
      aria-label={`Revoke the token of ${name}`}
      run={() => sendDelete("/api/tokens/{name}", { path: { name } })}
      done={`The token of ${name} was revoked.`}
      onDone={onDone}
      confirm={{
        title: `Revoke the token of ${name}`,
        text: "The server refuses it from the next request on. Runs that it started go on. It cannot be made valid again.",
        yes: "Revoke",
        no: "Cancel",
      }}
    />
  );
}

function AddToken({ onAdded }: { onAdded: () => void }) {
  const [added, setAdded] = useState<PostAnswer<"/api/tokens">>();
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("reader");
  const add = async (): Promise<void> => {
    setAdded(await post("/api/tokens", { name: name.trim(), role }));
    setName("");
    onAdded();
  };
  return (
    <p class="apart">
      <FormButton
        words="Add a token"
        icon="plus"
        title="Add an access token"
        submit="Add"
        canSubmit={name.trim() !== ""}
        run={add}
      >
        <TextField label="Whose token it is" value={name} onChange={setName} />
        <label for="token-role">Role</label>
        <select id="token-role" value={role} onChange={(event) => setRole(event.currentTarget.value as Role)}>
          {ROLES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </FormButton>
      {added && (
        <Dialog title={`The token of ${added.name}`} onClose={() => setAdded(undefined)}>
          <div class="stack">
            <p class="prose">Copy it now: it is not shown again, and the server keeps only its SHA-256.</p>
            <Command text={added.token} />
            <div class="row">
              <Button words="Done" look="main" onClick={() => setAdded(undefined)} />
            </div>
          </div>
        </Dialog>
      )}
    </p>
  );
}
