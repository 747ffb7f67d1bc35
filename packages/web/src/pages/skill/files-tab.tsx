import { useLocation } from "preact-iso";
import { useResource } from "../../api/resource.ts";
import { Icon } from "../../parts/look/icon.tsx";
import { size } from "../../parts/look/words.tsx";
import { skillPath } from "../../parts/skill/skill-words.ts";
import { Loaded } from "../../parts/state/states.tsx";
import { CodeBlock } from "../../parts/text/code-block.tsx";
import { languageOf } from "../../parts/text/highlight.ts";
import { Markdown } from "../../parts/text/markdown.tsx";

/** The files of a skill, and the text of one. */
export function FilesTab({
  id,
  dir,
  files,
}: {
  readonly id: string;
  readonly dir: string;
  readonly files: readonly string[];
}) {
  const { query } = useLocation();
  const names = [
    "SKILL.md",
    ...files.map((path) => relative(dir, path)).filter((name) => name !== "SKILL.md"),
  ];
  const chosen = query.file ?? "SKILL.md";
  return (
    <div class="files">
      <nav aria-label="Files">
        <ul>
          {names.map((name) => (
            <li key={name}>
              <a
                href={`${skillPath(id)}?tab=files&file=${encodeURIComponent(name)}`}
                aria-current={name === chosen ? "true" : undefined}
                title={name}
              >
                <Icon name="file" />
                <span class="clip mono">{name}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <File key={chosen} id={id} name={chosen} />
    </div>
  );
}

function File({ id, name }: { readonly id: string; readonly name: string }) {
  const file = useResource(
    "/api/skills/{id}/files/{path}",
    { path: { id, path: name } },
    { reloadOn: ["catalog"] },
  );
  const { query } = useLocation();
  const isMarkdown = /\.(?:md|markdown)$/i.test(name) && name !== "SKILL.md";
  const isRendered = isMarkdown && query.as !== "text";
  const base = `${skillPath(id)}?tab=files&file=${encodeURIComponent(name)}`;
  return (
    <section class="file" aria-label={name}>
      <Loaded of={file} rows={10}>
        {({ content, size_bytes: bytes }) => (
          <>
            <p class="file-head">
              <b class="mono">{name}</b>
              <span class="quiet small">{size(bytes)}</span>
              {isMarkdown && (
                <a class="small" href={isRendered ? `${base}&as=text` : base}>
                  {isRendered ? "Show as text" : "Show rendered"}
                </a>
              )}
            </p>
            {isRendered ? (
              <Markdown text={content} />
            ) : (
              <CodeBlock
                text={content}
                language={languageOf(name)}
                label={name}
                wrap={/\.(?:md|markdown|txt)$/i.test(name)}
              />
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

function relative(dir: string, path: string): string {
  const isInside = path.startsWith(dir) && /[/\\]/.test(path[dir.length] ?? "");
  return (isInside ? path.slice(dir.length + 1) : path).replaceAll("\\", "/");
}
