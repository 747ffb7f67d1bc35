import { useState } from "preact/hooks";

/** Any value, typed as JSON. Text that is no JSON yet is kept and said. */
export function JsonField({
  input,
  value,
  onChange,
}: {
  readonly input: object;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}) {
  const [text, setText] = useState(value === undefined ? "" : JSON.stringify(value, null, 2));
  const [problem, setProblem] = useState("");
  const read = (typed: string): void => {
    setText(typed);
    if (typed.trim() === "") {
      setProblem("");
      onChange(undefined);
      return;
    }
    try {
      const parsed: unknown = JSON.parse(typed);
      setProblem("");
      onChange(parsed);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <>
      <textarea
        {...input}
        class="mono"
        rows={Math.min(10, Math.max(2, text.split("\n").length))}
        spellcheck={false}
        placeholder="JSON"
        value={text}
        onInput={(event) => read(event.currentTarget.value)}
      />
      {problem && (
        <p class="field-fault small" role="status">
          This is no JSON yet: {problem}
        </p>
      )}
    </>
  );
}
