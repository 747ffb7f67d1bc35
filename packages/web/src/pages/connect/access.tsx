import { useState } from "preact/hooks";
import { type Answer, type PostAnswer, post, remove } from "../../api/client.ts";
import { useResource } from "../../api/data.ts";
import { article, me, ROLES, type Role } from "../../api/session.ts";
import { Dialog, toast } from "../../parts/float.tsx";
import { Table } from "../../parts/list.tsx";
import { Badge, Button, Command, Time } from "../../parts/look.tsx";
import { Loaded } from "../../parts/states.tsx";

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
                { title: "State", cell: (token) => <TokenState token={token} /> },
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

function TokenState({ token: { revoked_at: at } }: { readonly token: Token }) {
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
      <div class="stack">
        <p class="prose">
          The server refuses it from the next request on. Runs that it started go on. It cannot be made valid
          again.
        </p>
        <div class="row">
          <Button look="danger" onClick={() => void revoke()}>
            Revoke
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </div>
    </Dialog>
  );
}

type Added = PostAnswer<"/api/tokens">;

/** Adds an access token and shows it, this once. */
function AddToken({ onAdded }: { readonly onAdded: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const [added, setAdded] = useState<Added>();
  const close = (): void => {
    setOpen(false);
    setAdded(undefined);
  };
  return (
    <p class="token-add">
      <Button icon="plus" onClick={() => setOpen(true)}>
        Add a token
      </Button>
      {isOpen && (
        <Dialog title={added ? `The token of ${added.name}` : "Add an access token"} onClose={close}>
          {added ? (
            <div class="stack">
              <p class="prose">Copy it now: it is not shown again, and the server keeps only its SHA-256.</p>
              <Command text={added.token} />
              <div class="row">
                <Button look="main" onClick={close}>
                  Done
                </Button>
              </div>
            </div>
          ) : (
            <TokenForm
              onAdded={(token) => {
                setAdded(token);
                onAdded();
              }}
            />
          )}
        </Dialog>
      )}
    </p>
  );
}

function TokenForm({ onAdded }: { readonly onAdded: (added: Added) => void }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("reader");
  const [fault, setFault] = useState("");
  const add = async (): Promise<void> => {
    try {
      onAdded(await post("/api/tokens", { name: name.trim(), role }));
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <label for="token-name">Whose token it is</label>
      <input
        id="token-name"
        autofocus
        value={name}
        spellcheck={false}
        autoComplete="off"
        aria-invalid={fault !== ""}
        aria-describedby="token-fault"
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <label for="token-role">Role</label>
      <select
        id="token-role"
        value={role}
        onChange={(event) => setRole(ROLES.find((one) => one === event.currentTarget.value) ?? "reader")}
      >
        {ROLES.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
      <p class="fault" id="token-fault" aria-live="polite">
        {fault}
      </p>
      <Button type="submit" look="main" disabled={name.trim() === ""}>
        Add
      </Button>
    </form>
  );
}
