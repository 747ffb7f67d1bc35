import { useState } from "preact/hooks";
import { type PostAnswer, post } from "../../api/client.ts";
import { ROLES, type Role } from "../../api/me.ts";
import { Dialog } from "../../parts/float/dialog.tsx";
import { Button } from "../../parts/look/button.tsx";
import { Command } from "../../parts/look/copy-button.tsx";

type Added = PostAnswer<"/api/tokens">;

/** Adds an access token and shows it, this once. */
export function AddToken({ onAdded }: { readonly onAdded: () => void }) {
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
            <div class="change">
              <p class="prose">Copy it now: it is not shown again, and the server keeps only its SHA-256.</p>
              <Command text={added.token} />
              <div class="change-buttons">
                <Button look="main" onClick={close}>
                  Done
                </Button>
              </div>
            </div>
          ) : (
            <Form
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

function Form({ onAdded }: { readonly onAdded: (added: Added) => void }) {
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
      class="token-form"
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
      <p class="connection-error small" id="token-fault" aria-live="polite">
        {fault}
      </p>
      <Button type="submit" look="main" disabled={name.trim() === ""}>
        Add
      </Button>
    </form>
  );
}
