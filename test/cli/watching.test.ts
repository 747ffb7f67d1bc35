import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { type Folder, makeFolder, skillText } from "../../packages/core/src/testing/files.ts";
import { type Answer, environment, knack, PROGRAM, REPO } from "./run.ts";

const project = (): Folder =>
  makeFolder({
    "repo/.git/": "",
    "home/": "",
    ...Object.fromEntries(["a", "b", "c"].map((name) => [`${REPO}/${name}/SKILL.md`, skillText(name)])),
  });

const watchingIn = ({ checks }: Answer) => checks.find(({ name }) => name === "watching");

/** In a separate user namespace the number of watches can be limited for one program. */
const inNamespace = (command: string): string[] => ["-Ur", "sh", "-c", command];
const canLimit =
  spawnSync("unshare", inNamespace("echo 9 > /proc/sys/user/max_inotify_watches")).status === 0;

describe("knack doctor says whether changes are reported", () => {
  it("and in how many folders", () => {
    using folder = project();
    expect(watchingIn(knack(folder, ["doctor", "--json"]).json())).toEqual({
      name: "watching",
      ok: true,
      message: "the system reports every change in 4 folders",
    });
  });

  it("or that they are switched off", () => {
    using folder = project();
    const { checks } = knack(folder, ["doctor", "--json"], { env: { KNACK_WATCH: "off" } }).json();
    expect(checks.find(({ name }) => name === "watching")).toMatchObject({
      ok: true,
      message: expect.stringContaining("KNACK_WATCH=off"),
    });
  });

  it.skipIf(!canLimit)("or that no inotify watches are left, and what to do", () => {
    using folder = project();
    const command = `echo 2 > /proc/sys/user/max_inotify_watches && exec "${process.execPath}" "${PROGRAM}" doctor --json`;
    const { stdout } = spawnSync("unshare", inNamespace(command), {
      cwd: folder.at("repo"),
      env: environment(folder),
      encoding: "utf8",
    });
    expect(watchingIn(JSON.parse(stdout))).toEqual({
      name: "watching",
      ok: true,
      message: "a server looks at all files before each call, because the system has no inotify watches left",
      hint: "Raise the limit: sysctl fs.inotify.max_user_watches=1048576",
    });
  });
});
