import type { ComponentChildren, ComponentProps } from "preact";
import { useId, useState } from "preact/hooks";
import { toApiError } from "../api/client.ts";
import { Dialog, toast } from "./float.tsx";
import { Button } from "./look.tsx";

/** Does something, says that it is done or why not; whether it was done. */
export async function act<T>(
  run: () => Promise<T>,
  done?: string | ((answer: T) => string | undefined),
  onDone?: () => void,
): Promise<boolean> {
  try {
    const answer = await run();
    const words = typeof done === "function" ? done(answer) : done;
    if (words !== undefined) toast(words);
    onDone?.();
    return true;
  } catch (error) {
    toast(toApiError(error).message, { isFailure: true });
    return false;
  }
}

interface Confirmation {
  readonly title: string;
  /** What happens then. */
  readonly text: ComponentChildren;
  readonly yes: string;
  readonly no: string;
}

/** A button that does something: it waits for the end, and asks once more where something would be lost. */
export function ActionButton<T>({
  run,
  done,
  onDone,
  confirm,
  ...button
}: Omit<ComponentProps<typeof Button>, "onClick"> & {
  readonly run: () => Promise<T>;
  /** What is said when it is done. */
  readonly done?: string | ((answer: T) => string | undefined);
  readonly onDone?: () => void;
  readonly confirm?: Confirmation | undefined;
}) {
  const [isBusy, setBusy] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const start = async (): Promise<void> => {
    setAsked(false);
    setBusy(true);
    await act(run, done, onDone);
    setBusy(false);
  };
  return (
    <>
      <Button
        {...button}
        disabled={isBusy || button.disabled === true}
        onClick={() => (confirm ? setAsked(true) : void start())}
      />
      {isAsked && confirm && (
        <Dialog title={confirm.title} onClose={() => setAsked(false)}>
          <p class="prose apart">{confirm.text}</p>
          <div class="row wrap">
            <Button look={button.look === "danger" ? "danger" : "main"} onClick={() => void start()}>
              {confirm.yes}
            </Button>
            <Button onClick={() => setAsked(false)}>{confirm.no}</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

interface FormDialogProps {
  readonly title: string;
  /** The words of its button. */
  readonly submit: string;
  readonly canSubmit?: boolean;
  readonly run: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A form in a dialog. It closes when `run` has succeeded; a refusal is said beside its button. */
export function FormDialog({ title, submit, canSubmit = true, run, onClose, children }: FormDialogProps) {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const send = async (): Promise<void> => {
    setBusy(true);
    setFault(undefined);
    try {
      await run();
      onClose();
    } catch (error) {
      setFault(toApiError(error).message);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (canSubmit && !isBusy) void send();
        }}
      >
        {children}
        {fault && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
        <Button type="submit" look="main" disabled={isBusy || !canSubmit}>
          {submit}
        </Button>
      </form>
    </Dialog>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly class?: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** The first field of such a form: a name, a path or a key, which no browser should complete or correct. */
export function TextField({ label, value, onChange, ...input }: TextFieldProps) {
  const id = useId();
  return (
    <>
      <label for={id}>{label}</label>
      <input
        {...input}
        id={id}
        autofocus
        value={value}
        spellcheck={false}
        autoComplete="off"
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </>
  );
}
