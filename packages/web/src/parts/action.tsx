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

/** A button that does something: it waits for the end, and asks once more where something would be lost. */
export function ActionButton<T>({
  run,
  done,
  onDone,
  confirm,
  ...button
}: Omit<ComponentProps<typeof Button>, "onClick"> & {
  readonly run: () => Promise<T>;
  readonly done?: string | ((answer: T) => string | undefined);
  readonly onDone?: () => void;
  readonly confirm?: { title: string; text: ComponentChildren; yes: string; no: string } | undefined;
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
            <Button
              words={confirm.yes}
              look={button.look === "danger" ? "danger" : "main"}
              onClick={() => void start()}
            />
            <Button words={confirm.no} onClick={() => setAsked(false)} />
          </div>
        </Dialog>
      )}
    </>
  );
}

interface FormButtonProps extends Omit<ComponentProps<typeof Button>, "onClick" | "words"> {
  readonly words: string;
  readonly children: ComponentChildren;
  /** Of the dialog, if it says more than the words of the button. */
  readonly title?: string;
  readonly submit: string;
  readonly canSubmit: boolean;
  readonly run: () => Promise<unknown>;
}

/** A button that opens a form in a dialog. It closes when `run` has succeeded; a refusal is said beside its button. */
export function FormButton(props: FormButtonProps) {
  const { words, title = words, submit, canSubmit, run, children, ...button } = props;
  const [state, setState] = useState<"closed" | "open" | "busy">("closed");
  const [fault, setFault] = useState<string>();
  const show = (next: typeof state, why?: string): void => {
    setState(next);
    setFault(why);
  };
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!canSubmit || state === "busy") return;
    show("busy");
    try {
      await run();
      show("closed");
    } catch (error) {
      // Who has closed it meanwhile is done with it.
      setState((now) => (now === "closed" ? now : "open"));
      setFault(toApiError(error).message);
    }
  };
  return (
    <>
      <Button {...button} onClick={() => show("open")} words={words} />
      {state !== "closed" && (
        <Dialog title={title} onClose={() => show("closed")}>
          <form class="form" onSubmit={(event) => void send(event)}>
            {children}
            {fault && (
              <p class="fault" role="alert">
                {fault}
              </p>
            )}
            <Button
              words={state === "busy" ? "Working …" : submit}
              type="submit"
              look={button.look === "danger" ? "danger" : "main"}
              disabled={state === "busy" || !canSubmit}
            />
          </form>
        </Dialog>
      )}
    </>
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
