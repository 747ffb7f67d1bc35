import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestOf } from "../lock/digest-skill.ts";
import { type LockedSkill, lockText } from "../lock/skill-lock.ts";
import { type Catalog, type OpenCatalogOptions, openCatalog } from "../open-catalog.ts";
import { isTrusted, setTrusted } from "../policy/trust.ts";
import { cases } from "../shared/testing/cases.ts";
import { type Folder, makeFolder, skillText } from "../testing/files.ts";
import { ProjectNow } from "./project-now.ts";

const ROOT = "repo/.agents/skills";
const OLD = new Date("2020-01-01T00:00:00Z");

/** Places of skills: in the root, in a group, inside of another skill, in a root that is not there at first, elsewhere. */
const AT = ["a", "b", "group", "group/c", "a/inner", "b/scripts/s", "b/team/scripts/s"].map(
  (name) => `${ROOT}/${name}`,
);
const PLACES = [...AT, "home/.agents/skills/u", "elsewhere/x", "elsewhere/inner", "elsewhere/group/y"];
const FOLDERS = [...PLACES, `${ROOT}/group`, ROOT, "repo/.agents", "elsewhere"];

const place = fc.constantFrom(...PLACES);
const folderAt = fc.constantFrom(...FOLDERS);
const MORE = [
  "",
  "eligibility: { binaries: [knack-test-tool] }\n",
  "invocation_mode: tool_dispatch\ncommand_tool: own_tool\ncommand: go\n",
  "disable-model-invocation: true\n",
];
const CONFIGS = [
  "",
  "permissions: { deny: [{ tool: skill_load, skill_name: a }] }\n",
  "skills: { disabled: [b] }\n",
  "skills: { validation: lenient }\n",
  "skills: { locked: true }\n",
  "skills: { roots: [../elsewhere] }\n",
  "skills: { validaton: lenient }\n",
];

const change = fc.oneof(
  fc.record({ kind: fc.constant("write" as const), at: place, more: fc.constantFrom(...MORE) }),
  fc.record({
    kind: fc.constant("edit with the old time" as const),
    at: place,
    letter: fc.constantFrom("x", "y"),
  }),
  fc.record({ kind: fc.constant("give a second name" as const), at: place }),
  fc.record({ kind: fc.constant("edit by the second name" as const), letter: fc.constantFrom("x", "y") }),
  fc.record({ kind: fc.constantFrom("remove" as const, "leave and come back" as const), at: folderAt }),
  fc.record({
    kind: fc.constantFrom("rename" as const, "swap" as const, "link" as const, "move and link" as const),
    at: folderAt,
    to: folderAt,
  }),
  fc.record({ kind: fc.constant("link file" as const), at: place, to: place }),
  fc.record({ kind: fc.constantFrom("remove file" as const, "file becomes folder" as const), at: place }),
  fc.record({
    kind: fc.constantFrom("user config" as const, "project config" as const),
    text: fc.constantFrom(...CONFIGS),
  }),
  fc.record({ kind: fc.constant("trust" as const), trusted: fc.boolean() }),
  fc.record({ kind: fc.constantFrom("lock" as const, "unlock" as const) }),
  fc.record({ kind: fc.constant("registry" as const), has: fc.boolean() }),
  fc.record({ kind: fc.constant("program" as const), mode: fc.constantFrom(0o755, 0o644, 0) }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const write = (at: string, more = ""): Change => ({ kind: "write", at, more });
const edit = (at: string): Change => ({ kind: "edit with the old time", at, letter: "x" });
const [A, B, Y, GROUP] = [`${ROOT}/a`, `${ROOT}/b`, "elsewhere/group/y", `${ROOT}/group`];

/** What no notice tells of, or only that of another folder; chance finds these too rarely. */
const CASES: readonly (readonly Change[])[] = [
  ([0o755, 0o644, 0o755, 0] as const).map((mode): Change => ({ kind: "program", mode })),
  [write(A, MORE[2]), { kind: "registry", has: true }, { kind: "registry", has: false }],
  // What the lock says of a skill, and what the skill says itself.
  [
    { kind: "project config", text: "skills: { locked: true }\n" },
    { kind: "lock" },
    edit(A),
    { kind: "lock" },
    write(B),
    { kind: "unlock" },
  ],
  // A link that leads nowhere, until it does.
  [write(B), { kind: "link", at: B, to: Y }, write(Y), edit(Y), { kind: "remove", at: "elsewhere" }],
  [{ kind: "link file", at: A, to: "elsewhere/x" }, edit("elsewhere/x"), edit("elsewhere/x")],
  // Another folder with the same names below.
  [
    write(`${A}/inner`),
    write("elsewhere"),
    write("elsewhere/inner"),
    edit("elsewhere/inner"),
    { kind: "swap", at: A, to: "elsewhere" },
  ],
  [write("home/.agents/skills/u"), { kind: "move and link", at: "repo/.agents" }, edit("moved/skills/a")].map(
    (one) => ({ to: "", ...one }) as Change,
  ),
  // Folders that are called so hold a skill's resources, but only below a skill.
  [write(`${B}/scripts/s`), write(B), { kind: "remove file", at: B }],
  [write(`${B}/team/scripts/s`), write(B), { kind: "remove file", at: B }],
  // What is new is watched like the rest.
  [write(B), edit(B), { kind: "remove file", at: B }],
  // Only the ctime tells.
  [edit(A), edit(A), { kind: "edit with the old time", at: A, letter: "y" }],
  [
    { kind: "rename", at: GROUP, to: `${ROOT}/team` },
    { kind: "rename", at: A, to: `${ROOT}/z` },
  ],
  [write("elsewhere/x"), write(`${GROUP}/x`), { kind: "swap", at: GROUP, to: "elsewhere" }],
  [
    { kind: "remove file", at: A },
    { kind: "remove", at: GROUP },
    { kind: "leave and come back", at: ROOT },
  ],
  // A root without any skill that leads elsewhere.
  [
    { kind: "swap", at: ROOT, to: A },
    { kind: "move and link", at: "repo/.agents", to: "" },
  ],
];

/** A change that makes no sense is omitted. */
async function apply(folder: Folder, one: Change): Promise<void> {
  try {
    await make(folder, one);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

async function make(folder: Folder, one: Change): Promise<void> {
  const at = (path: string): string => folder.at(path);
  if (one.kind === "write")
    folder.write({ [`${one.at}/SKILL.md`]: skillText(one.at.split("/").at(-1) ?? "", "Does it.", one.more) });
  else if (one.kind === "edit with the old time") {
    const file = at(`${one.at}/SKILL.md`);
    writeFileSync(file, readFileSync(file, "utf8").replace(/Does .t/, `Does ${one.letter}t`));
    utimesSync(file, OLD, OLD);
  } else if (one.kind === "give a second name") {
    rmSync(at("second"), { force: true });
    linkSync(at(`${one.at}/SKILL.md`), at("second"));
    // That a file gets a second name is told to nobody (docs/mcp.md); this is.
    utimesSync(at(`${one.at}/SKILL.md`), OLD, OLD);
  } else if (one.kind === "edit by the second name") {
    writeFileSync(at("second"), readFileSync(at("second"), "utf8").replace(/Does .t/, `Does ${one.letter}t`));
    utimesSync(at("second"), OLD, OLD);
  } else if (one.kind === "remove") rmSync(at(one.at), { recursive: true });
  else if (one.kind === "remove file") rmSync(at(`${one.at}/SKILL.md`), { recursive: true });
  else if (one.kind === "file becomes folder") {
    rmSync(at(`${one.at}/SKILL.md`));
    mkdirSync(at(`${one.at}/SKILL.md`));
  } else if (one.kind === "leave and come back") {
    renameSync(at(one.at), at("away"));
    renameSync(at("away"), at(one.at));
  } else if (one.kind === "rename") {
    mkdirSync(dirname(at(one.to)), { recursive: true });
    renameSync(at(one.at), at(one.to));
  } else if (one.kind === "swap") {
    renameSync(at(one.at), at("away"));
    renameSync(at(one.to), at(one.at));
    renameSync(at("away"), at(one.to));
  } else if (one.kind === "link") {
    rmSync(at(one.at), { recursive: true });
    symlinkSync(at(one.to), at(one.at));
  } else if (one.kind === "move and link") {
    renameSync(at(one.at), at("moved"));
    symlinkSync(at("moved"), at(one.at));
  } else if (one.kind === "link file") {
    rmSync(at(`${one.at}/SKILL.md`));
    symlinkSync(at(`${one.to}/SKILL.md`), at(`${one.at}/SKILL.md`));
  } else if (one.kind === "user config") folder.write({ "home/.knack/config.yaml": one.text });
  else if (one.kind === "project config") folder.write({ "repo/.knack/config.yaml": one.text });
  else if (one.kind === "trust") await setTrusted(at("repo"), one.trusted, { env: {}, home: at("home") });
  else if (one.kind === "unlock") rmSync(at("repo/skills.lock"), { force: true });
  else if (one.kind === "lock") {
    const lock = new Map<string, LockedSkill>();
    for (const path of AT.filter((each) => existsSync(at(`${each}/SKILL.md`)))) {
      const bytes = readFileSync(at(`${path}/SKILL.md`));
      const files = new Map([["SKILL.md", createHash("sha256").update(bytes).digest("hex")]]);
      const folderOfSkill = path.slice("repo/".length);
      lock.set(folderOfSkill, { folder: folderOfSkill, sha256: digestOf(files), files });
    }
    folder.write({ "repo/skills.lock": lockText(lock) });
  } else if (one.kind === "registry") {
    const entry = "{ name: own_tool, implementation: x.ts:run, description: d, idempotency: NONE }";
    folder.write({ "repo/skills/registry.yaml": `version: 1\nskills: [${one.has ? entry : ""}]\n` });
  } else if (one.kind === "program") {
    rmSync(at("bin/knack-test-tool"), { force: true });
    if (one.mode === 0) return;
    folder.write({ "bin/knack-test-tool": "#!/bin/sh\n" });
    chmodSync(at("bin/knack-test-tool"), one.mode);
  }
}

const content = ({ entries, errors, warnings, config, waitingForTrust, roots }: Catalog): object => ({
  entries: entries.map(({ skill, status, reason }) => ({ skill, status, reason })),
  errors,
  warnings,
  rules: [config.permissions, config.skills],
  waitingForTrust,
  roots: roots.map(({ real }) => real),
});

async function contentNow(options: OpenCatalogOptions): Promise<object | undefined> {
  try {
    return content(await openCatalog(options));
  } catch (error) {
    // A wrong configuration changes nothing, whatever else did; the next one is compared again.
    if (error instanceof Error && "code" in error && error.code === "CONFIG_INVALID") return undefined;
    throw error;
  }
}

describe.each([
  { how: "with a watch on every folder", maxFolders: undefined },
  { how: "where folders cannot be watched", maxFolders: 0 },
])("whatever changes, $how", ({ maxFolders }) => {
  it("the very next call sees it, and so does a start with the index", async () => {
    const step = fc.record({ change, wait: fc.constantFrom(0, 0, 120) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        using folder = makeFolder({
          "repo/.git/": "",
          "repo/.knack/config.yaml": "",
          "home/.knack/": "",
          "bin/": "",
          [`${ROOT}/a/SKILL.md`]: skillText("a", "Does it."),
          [`${ROOT}/group/c/SKILL.md`]: skillText("c", "Does it.", MORE[1]),
          "elsewhere/x/SKILL.md": skillText("x", "Does it."),
        });
        const home = folder.at("home");
        const env = { PATH: folder.at("bin") };
        const trusted = (): boolean => isTrusted(folder.at("repo"), { env: {}, home });
        const options = { cwd: folder.at("repo"), home, env, cache: false as const, trusted };
        const live = await ProjectNow.open({
          ...options,
          ...(maxFolders === undefined ? {} : { maxFolders }),
        });
        const leave = live.follow(() => undefined);
        try {
          await expect.poll(() => live.watching, { interval: 20 }).toBeDefined();
          expect(live.watching === true).toBe(maxFolders === undefined);
          for (const { change: one, wait } of steps) {
            await apply(folder, one);
            const seen = await live.refresh();
            const expected = await contentNow(options);
            if (expected) {
              expect(content(seen), JSON.stringify(one)).toEqual(expected);
              const indexed = await contentNow({ ...options, cache: folder.at("cache") });
              expect(indexed, `by the index: ${JSON.stringify(one)}`).toEqual(expected);
            }
            await delay(wait);
          }
        } finally {
          leave();
        }
      }),
      {
        numRuns: CASES.length + cases(40),
        // Time to hear of a change; where nothing is watched there is nothing to hear.
        examples: CASES.map((steps) => [
          steps.map((one) => ({ change: one, wait: maxFolders === undefined ? 120 : 0 })),
        ]),
      },
    );
  }, 300_000);
});
