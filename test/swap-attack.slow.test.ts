import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { openSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readContained, readFoundSkill } from "../packages/core/src/context/files/contained-file.ts";
import type { Hold } from "../packages/core/src/context/files/hold.ts";
import { listFiles } from "../packages/core/src/context/files/list-files.ts";
import { isInside } from "../packages/core/src/shared/paths.ts";
import { type Folder, makeFolder } from "../packages/core/src/testing/files.ts";

/** How often the skill is read under each kind of attack; increase it for a longer attack. */
const ATTACKED = Number(process.env.KNACK_ATTACKED ?? 2_000);
/** If an attack did not interfere by then, it is not effective. Usually it does within milliseconds. */
const PATIENCE_MS = 150_000;

const SECRET = "TOP-SECRET";
const SECRET_TEXT = `${SECRET} of a size that nothing else has\n`;
const LIMITS = { maxBytes: 4096, maxFiles: 100, validation: "strict" } as const;

/** Each kind: what is swapped for a link, its target, and how. */
const KINDS = [
  { kind: "a folder in the skill", path: "skill/sub", target: "TOP-SECRET", manner: "moves" },
  { kind: "a file of the skill", path: "skill/sub/file.md", target: "TOP-SECRET/file.md", manner: "moves" },
  {
    kind: "a file, without a gap",
    path: "skill/sub/file.md",
    target: "TOP-SECRET/file.md",
    manner: "replaces",
  },
  { kind: "the SKILL.md", path: "skill/SKILL.md", target: "TOP-SECRET/SKILL.md", manner: "replaces" },
  { kind: "the skill's own folder", path: "skill", target: "TOP-SECRET", manner: "moves" },
] as const;
type Kind = (typeof KINDS)[number];

function makeTarget(): Folder {
  const inside = "inside\n";
  return makeFolder({
    "skill/SKILL.md": inside,
    "skill/sub/file.md": inside,
    "TOP-SECRET/SKILL.md": SECRET_TEXT,
    "TOP-SECRET/file.md": SECRET_TEXT,
    "TOP-SECRET/sub/file.md": SECRET_TEXT,
    "TOP-SECRET/TOP-SECRET-name.md": SECRET_TEXT,
    "TOP-SECRET/sub/TOP-SECRET-name.md": SECRET_TEXT,
  });
}

/** Calls `once` as fast as possible while another process attacks, until `isEnough` says so of the number of calls. */
async function underAttack(
  folder: Folder,
  { path, target, manner }: Kind,
  once: () => void,
  isEnough: (calls: number) => boolean,
): Promise<void> {
  const script = join(import.meta.dirname, "swap-attacker.ts");
  const args = [folder.at(path), folder.at(target), String(PATIENCE_MS + 5_000), manner];
  const attacker = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<void>((done) => attacker.once("exit", () => done()));
  try {
    await new Promise((ready) => attacker.stdout.once("data", ready));
    const end = performance.now() + PATIENCE_MS;
    for (let calls = 0; !isEnough(calls) && performance.now() < end; calls += 50) {
      for (let i = 0; i < 50; i++) once();
      await new Promise(setImmediate);
    }
    expect(attacker.exitCode, "the attack went on to the end").toBeNull();
  } finally {
    attacker.kill("SIGKILL");
    await ended;
  }
}

/** All text of an answer, with bytes as text. */
function told(answer: object): string {
  return JSON.stringify(answer, (_key, value) =>
    value?.type === "Buffer" ? Buffer.from(value.data).toString() : value,
  );
}

const DIGEST = createHash("sha256").update(SECRET_TEXT).digest("hex");

function expectNothingOf(answer: object): void {
  const text = told(answer);
  for (const secret of [SECRET, DIGEST, `"size":${SECRET_TEXT.length}`])
    if (text.includes(secret)) expect.fail(`leaked: ${text}`);
}

describe.skipIf(process.platform === "win32").each(KINDS)(
  "while another process swaps $kind for a link",
  (kind) => {
    // If the kernel does not report what was opened, containment under attack is best effort.
    it.runIf(process.platform === "linux")("nothing from outside is served or listed", async () => {
      using folder = makeTarget();
      const dir = folder.at("skill");
      const counts = { served: 0, denied: 0, listed: 0 };
      const once = (): void => {
        const answers = [
          readContained(dir, "sub/file.md", LIMITS),
          readContained(dir, "SKILL.md", LIMITS),
          readFoundSkill(join(dir, "SKILL.md"), dir, LIMITS.maxBytes),
        ];
        for (const answer of answers) {
          expectNothingOf(answer);
          if ("refusal" in answer) counts.denied += Number(answer.refusal === "ACCESS_DENIED");
          else counts.served++;
        }
        const listing = listFiles(dir, LIMITS);
        expectNothingOf(listing);
        // If nothing fits, every file with a size is listed with it.
        expectNothingOf(listFiles(dir, { ...LIMITS, maxBytes: 0 }));
        counts.listed += Number(listing.files.length > 0);
      };
      const met = (): boolean => counts.served > 0 && counts.denied > 0 && counts.listed > 0;
      await underAttack(folder, kind, once, (calls) => met() && calls >= ATTACKED);
      // An attack that never interferes would prove nothing.
      for (const [what, count] of Object.entries(counts)) expect(count, what).toBeGreaterThan(0);
      if (process.env.KNACK_ATTACKED) console.log(`${kind.kind}: ${JSON.stringify(counts)}`);
    });
  },
);

describe.skipIf(process.platform === "win32")("the same attack", () => {
  const expectLeak = async (kind: Kind, attempt: (dir: string) => string): Promise<void> => {
    using folder = makeTarget();
    let leaks = 0;
    const once = (): void => {
      try {
        leaks += Number(attempt(folder.at("skill")).includes(SECRET));
      } catch (error) {
        // Between two renames there is nothing at the path.
        if (!(error instanceof Error && "code" in error)) throw error;
      }
    };
    await underAttack(folder, kind, once, () => leaks > 0);
    expect(leaks).toBeGreaterThan(0);
  };

  it.each(KINDS)("gets the secret out of a check that is followed by a read: $kind", (kind) =>
    expectLeak(kind, (dir) => {
      const path = join(dir, kind.path.endsWith("SKILL.md") ? "SKILL.md" : "sub/file.md");
      return isInside(realpathSync(path), dir) ? readFileSync(path, "utf8") : "";
    }),
  );

  /** How not to hold a file: check the path, then use the path. */
  const holdByPath: Hold = (path, isAllowed) => {
    const handle = realpathSync(path);
    if (!isAllowed(handle)) return undefined;
    const stats = statSync(handle);
    return {
      stats,
      handle,
      open: () => openSync(handle, "r"),
      isSame: () => true,
      [Symbol.dispose]: () => {},
    };
  };

  it.each([KINDS[0], KINDS[4]])("gets names out of a check that is followed by a listing: $kind", (kind) =>
    expectLeak(kind, (dir) => told(listFiles(dir, LIMITS, holdByPath))),
  );

  it.each([KINDS[3], KINDS[4]])(
    "gets another SKILL.md out of a check that is followed by a read: $kind",
    (kind) =>
      expectLeak(kind, (dir) =>
        told(readFoundSkill(join(dir, "SKILL.md"), dir, LIMITS.maxBytes, holdByPath)),
      ),
  );
});
