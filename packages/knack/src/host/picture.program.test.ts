import { AsyncLocalStorage } from "node:async_hooks";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { setTrusted } from "@knack/core/config";
import { type Folder, makeFolder, skillText } from "@knack/core/testing";
import { describe, expect, it, vi } from "vitest";
import { type Host, openHost } from "./host.ts";

/** Everything that looks at the file system by a path. */
const LOOKS = [
  ...(["statSync", "lstatSync", "existsSync", "accessSync", "realpathSync", "readlinkSync"] as const),
  ...(["openSync", "opendirSync", "readdirSync", "readFileSync"] as const),
];
const ASYNC_LOOKS = [
  "stat",
  "lstat",
  "access",
  "realpath",
  "readlink",
  "open",
  "opendir",
  "readdir",
] as const;

/** Marks what a call does: the watcher looks too, in its own time. */
const calling = new AsyncLocalStorage<true>();

/** The paths that `work` looks at; what a descriptor stands for was looked at when it was opened. */
async function looksOf(folder: Folder, work: () => Promise<unknown>): Promise<string[]> {
  const looks: string[] = [];
  const count = <T extends object>(owner: T, names: readonly (keyof T)[]) =>
    names.map((name) => {
      const original = owner[name] as (...args: unknown[]) => unknown;
      const counted = (...args: unknown[]): unknown => {
        if (calling.getStore()) looks.push(String(args[0]));
        return original.apply(owner, args);
      };
      // `realpathSync` has a property of its own.
      owner[name] = Object.assign(counted, original) as T[keyof T];
      return () => {
        owner[name] = original as T[keyof T];
      };
    });
  const native = count(fs.realpathSync, ["native"]);
  const restored = [...native, ...count(fs, LOOKS), ...count(fs.promises, ASYNC_LOOKS)];
  syncBuiltinESMExports();
  try {
    await calling.run(true, work);
  } finally {
    for (const restore of restored.reverse()) restore();
    syncBuiltinESMExports();
  }
  return looks
    .filter((path) => !/^(?:\d+$|\/proc\/self\/fd)/.test(path))
    .map((path) => path.replace(`${folder.path}/`, "").replace(/projects\/[0-9a-f]+/, "projects/…"))
    .sort();
}

/** For `npm run size`. */
function writeDown(figures: Readonly<Record<string, number>>): void {
  const file = join(import.meta.dirname, "../../../../node_modules/.cache/knack-looks.json");
  const known = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, "utf8")) as object) : {};
  fs.mkdirSync(dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify({ ...known, ...figures }));
}

const SKILLS = "repo/.agents/skills";

async function withHost(work: (host: Host, folder: Folder) => Promise<void>): Promise<void> {
  using folder = makeFolder({
    "repo/.git/": "",
    "home/.knack/": "",
    [`${SKILLS}/one/SKILL.md`]: skillText("one", "Does one.", 'metadata: { requires-now: "two" }\n'),
    [`${SKILLS}/two/SKILL.md`]: skillText("two", "Does two."),
  });
  vi.stubEnv("HOME", folder.at("home"));
  vi.stubEnv("XDG_CACHE_HOME", folder.at("cache"));
  setTrusted(folder.at("repo"), true, { env: process.env, home: folder.at("home") });
  const host = await openHost({ cwd: folder.at("repo") }, "test");
  const leave = host.live.follow(() => undefined);
  try {
    await expect.poll(() => host.live.watching).toBe(true);
    await work(host, folder);
  } finally {
    leave();
    await host.close();
    vi.unstubAllEnvs();
  }
}

/** What tells whether the project changed: trust, rules, typed skills, roots. The log is written when the answer is out. */
const PICTURE = [
  "home",
  "home/.knack/config.yaml",
  "home/.knack/trust.json",
  "repo",
  SKILLS,
  "repo/.knack/config.yaml",
  "repo/skills/registry.yaml",
];

describe.skipIf(process.platform !== "linux")("a call looks once at what may have changed", () => {
  it("a warm skill_load: at most ten looks, each file once", async () => {
    await withHost(async (host, folder) => {
      const session = host.runtime.session();
      const load = (): Promise<unknown> => session.call("skill_load", { name: "one", force: true });
      const expected = [...PICTURE, `${SKILLS}/one`, `${SKILLS}/one/SKILL.md`].sort();
      expect(expected.length).toBeLessThanOrEqual(10);
      // A time stamp counts once it is older than the clock's tick.
      await expect.poll(() => looksOf(folder, load)).toEqual(expected);
      writeDown({ skill_load: expected.length });
    });
  });

  it("a warm skill_search: no file of a skill", async () => {
    await withHost(async (host, folder) => {
      const session = host.runtime.session();
      const search = (): Promise<unknown> => session.call("skill_search", { query: "one" });
      await expect.poll(() => looksOf(folder, search)).toEqual([...PICTURE].sort());
      writeDown({ skill_search: PICTURE.length });
    });
  });

  it("a dispatch over one edge: at most twenty looks", async () => {
    await withHost(async (host, folder) => {
      const session = host.runtime.session();
      const runner = { name: "node", argv: [process.execPath, "-e", "process.stdin.resume()"] };
      const request = { role: "fixer", skill: { name: "one" }, requestId: "r" } as const;
      const dispatch = (): Promise<unknown> => session.dispatch(request, { actor: "person", runner });
      // Processes around and those that a runner left behind are looked for in /proc, however many there are; a frame of a runner is
      // written, not looked at.
      const looks = async (): Promise<string[]> =>
        (await looksOf(folder, dispatch)).filter((path) => !/^\/proc|\/frames\//.test(path));
      let fewest = Number.POSITIVE_INFINITY;
      await expect
        .poll(async () => {
          fewest = Math.min(fewest, (await looks()).length);
          return fewest;
        })
        .toBeLessThanOrEqual(20);
      writeDown({ dispatch: fewest });
    });
  });
});
