import "./diff.css";

const KINDS: Readonly<Record<string, string>> = { "+": "add", "-": "drop", "@": "place", "\\": "place" };
const WORDS: Readonly<Record<string, string>> = { add: "Added: ", drop: "Removed: " };
/** More lines make the page slow; the whole is in the file. */
const MAX_LINES = 3_000;

/** A unified diff, as `diff -u` and git write it. */
export function Diff({ text, label }: { readonly text: string; readonly label: string }) {
  const lines = text.replace(/\n$/, "").split("\n");
  return (
    <figure class="diff" aria-label={label}>
      <pre tabIndex={0}>
        {lines.slice(0, MAX_LINES).map((line, place) => {
          const isFile = /^(?:---|\+\+\+) /.test(line);
          const kind = isFile ? "place" : (KINDS[line[0] ?? ""] ?? "same");
          return (
            <span key={place} class={`diff-line diff-${kind}`}>
              <span class="hidden-name">{WORDS[kind]}</span>
              {line || " "}
              {"\n"}
            </span>
          );
        })}
      </pre>
      {lines.length > MAX_LINES && <p class="quiet small">The first {MAX_LINES} lines.</p>}
    </figure>
  );
}
