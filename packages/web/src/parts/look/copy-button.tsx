import { useEffect, useState } from "preact/hooks";
import { Button } from "./button.tsx";

/** Copies a name, a path or a command. */
export function CopyButton({
  text,
  name = "Copy",
  words,
}: {
  readonly text: string;
  readonly name?: string;
  readonly words?: string;
}) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (event: Event): Promise<void> => {
    event.stopPropagation();
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <>
      <Button
        look="quiet"
        small
        icon={isCopied ? "check" : "copy"}
        aria-label={words ? undefined : name}
        onClick={(event) => void copy(event)}
      >
        {words && (isCopied ? "Copied" : words)}
      </Button>
      <span class="hidden-name" role="status">
        {isCopied ? "Copied" : ""}
      </span>
    </>
  );
}

/** A command to paste into a terminal, with its copy button. */
export function Command({ text }: { readonly text: string }) {
  return (
    <span class="command">
      <code>{text}</code>
      <CopyButton text={text} name={`Copy: ${text}`} />
    </span>
  );
}
