import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ask, makeTypedProject } from "../cli/typed-skills.ts";

const PAGE = readFileSync(join(import.meta.dirname, "../../docs/typed-skills.md"), "utf8");
const example = (language: string): string =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(PAGE)?.[1] ?? "";

it.each([
  ["js", "mjs"],
  ["ts", "ts"],
  ["python", "py"],
])("003 §3.3 the example of run() in %s, as the documentation has it, runs", (language, ending) => {
  using folder = makeTypedProject({
    "repo/skills/registry.yaml": `version: 1
skills:
  - name: loud
    implementation: impl/loud.${ending}:run
    inputs: [{ kind: FILE, required: true, schema: { fields: [path, sha256] } }]
    outputs:
      artifacts: [{ name: loud, format: txt, path_template: "workspace/artifacts/{task_id}/loud.txt" }]
      evidences: [{ kind: COUNTED, schema: { fields: [length] } }]
    params: { schema: {} }
    idempotency: { strategy: INPUT_HASHES, cache: true }
`,
    [`repo/impl/loud.${ending}`]: example(language),
    "home/.knack/config.yaml": "isolation: { allowNone: [loud] }\n",
  });
  const { data } = ask(folder, ["run", "loud", "a.md"], { env: { KNACK_TRUST: "all" } });
  expect(data).toMatchObject({ status: "SUCCEEDED", error: null, evidences: [{ data: { length: 4 } }] });
  expect(readFileSync(folder.at("repo/workspace/artifacts/adhoc/loud.txt"), "utf8")).toBe("# A\n");
});
