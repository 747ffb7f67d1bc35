import { Table } from "../../parts/list/table.tsx";
import { CopyButton } from "../../parts/look/copy-button.tsx";
import { CodeBlock } from "../../parts/text/code-block.tsx";
import { shownJson } from "../../parts/text/shown-json.ts";
import type { RunDetail } from "./run-state.tsx";

/** What the run was given. */
export function RunInputs({ run }: { readonly run: RunDetail }) {
  const hasParams = Object.keys(run.params).length > 0;
  return (
    <div class="run-part">
      <h3>Files</h3>
      {run.inputs.length === 0 ? (
        <p class="quiet">The skill was given no files.</p>
      ) : (
        <Table
          label="Files that the run was given"
          rows={run.inputs}
          keyOf={({ role, path }) => `${role} ${path}`}
          columns={[
            { title: "Role", cell: ({ role }) => role },
            {
              title: "File",
              cell: ({ path }) => (
                <span class="run-path">
                  <code>{path}</code>
                  <CopyButton text={path} name={`Copy ${path}`} />
                </span>
              ),
            },
            {
              title: "SHA-256",
              cell: ({ sha256 }) => (
                <span class="run-path">
                  <code title={sha256}>{sha256.slice(0, 12)}</code>
                  <CopyButton text={sha256} name="Copy the digest" />
                </span>
              ),
            },
          ]}
        />
      )}
      <h3>Parameters</h3>
      {hasParams ? (
        <CodeBlock text={shownJson(run.params)} language="json" label="Parameters" wrap />
      ) : (
        <p class="quiet">The skill was given no parameters.</p>
      )}
    </div>
  );
}
