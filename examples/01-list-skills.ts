/**
 * Every skill for a working directory, and what was skipped.
 *
 *   npm run build && npx node examples/01-list-skills.ts
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openCatalog } from "@knack/core";

// Without `home` and `env` these are the user's own, as a program would have them.
const cwd = join(import.meta.dirname, "..");
const catalog = await openCatalog({ cwd, home: join(cwd, "no-home"), env: {}, cache: false });

for (const { name, scope, description } of catalog.skills)
  console.log(`${name} (${scope}): ${description.slice(0, 60)}`);
for (const { path, code, message } of catalog.errors) console.log(`skipped: ${path}: ${code} ${message}`);

// A skill is found by its exact name, and there is nothing else it could mean.
const skill = catalog.resolve({ name: "release-notes" });
assert.equal(skill.scope, "repo");
assert.ok(skill.path.endsWith(join(".agents", "skills", "release-notes", "SKILL.md")));

// A name that does not exist is the caller's mistake, so it throws.
assert.throws(() => catalog.resolve({ name: "no-such-skill" }), { code: "NOT_FOUND" });
