/**
 * A long-lived program keeps its snapshot until it takes the next one.
 *
 *   npm run build && npx node examples/02-follow-changes.ts
 */
import assert from "node:assert/strict";
import { openCatalog } from "@knack/core";
import { makeFolder, skillText } from "@knack/core/testing";

using project = makeFolder({ ".git/": "", ".agents/skills/greet/SKILL.md": skillText("greet") });
const first = await openCatalog({ cwd: project.path, home: project.at("home"), env: {}, cache: false });

project.write({ ".agents/skills/part/SKILL.md": skillText("part") });
const next = await first.reload();

console.log("before:", first.skills.map(({ name }) => name).join(", "));
console.log("after: ", next.skills.map(({ name }) => name).join(", "));

// The first snapshot is as it was; the second has a higher version.
assert.deepEqual(
  first.skills.map(({ name }) => name),
  ["greet"],
);
assert.deepEqual(
  next.skills.map(({ name }) => name),
  ["greet", "part"],
);
assert.ok(next.snapshot_version > first.snapshot_version);
