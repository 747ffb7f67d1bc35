import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../../packages/knack/src/cli/table/table.ts";
import { knack, listed, makeProject } from "../run.ts";
import { makeShellProject, needs, openShell, shellEnvironment } from "./shells.ts";

const SHELLS = ["bash", "zsh", "fish", "powershell"];

describe("knack __complete", () => {
  const offered = (words: readonly string[], place = words.length - 1): string[] => {
    using folder = makeShellProject();
    const { stdout } = knack(folder, ["__complete", String(place), ...words]);
    return stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split("\t")[0] ?? "");
  };

  it.each([
    [["sea"], ["search"]],
    [["list", "--sc"], ["--scope"]],
    [["list", "--scope", "re"], ["repo"]],
    [["list", "--scope=u"], ["--scope=user"]],
    [["list", "--all", "--al"], []],
    [
      ["--json", "load", "g"],
      ["gone", "good"],
    ],
    [["--cwd", "..", "load", "m"], ["mine"]],
    [["load", "./"], [":files"]],
    [["load", "good", ""], []],
    [["enable", ""], ["off"]],
    [["run", "text"], ["text_extract"]],
    [["run", "text_extract", ""], [":files"]],
    [["runs", "--skill", "text"], ["text_extract"]],
    [
      ["setup", "cl"],
      ["claude", "cline"],
    ],
    [
      ["setup", "co"],
      ["codex", "copilot"],
    ],
    [
      ["plan", ""],
      ["apply", "status", "run"],
    ],
    [["plan", "run", ""], [":files"]],
    [["validate", "x", ""], [":files"]],
    [["--cwd", ""], [":folders"]],
    [["completion", ""], SHELLS],
    [["help", "orch"], ["orchestrate"]],
    [["nonsense", ""], []],
    [["load", "--", "--"], []],
    [["search", "x"], []],
  ])("%j offers %j", (words, expected) => {
    expect(offered(words)).toEqual(expected);
  });

  it("offers every command, and understands a last word that a shell left out", () => {
    expect(offered([], 0)).toEqual([...COMMANDS.map(({ name }) => name), "help"]);
    expect(offered(["enable"], 1)).toEqual(["off"]);
  });

  it("leaves out names that a shell could read as something else, and prints no text of a skill raw", () => {
    using folder = makeShellProject();
    const { stdout } = knack(folder, ["__complete", "1", "load"]);
    const lines = stdout.trimEnd().split("\n");
    const names = listed(folder);
    expect(names).toEqual(expect.arrayContaining(["a b", "-rf", "$(touch hacked)"]));
    expect(lines.map((line) => line.split("\t")[0]).sort()).toEqual(["Bad", "gone", "good", "mine"]);
    for (const line of lines) expect(line).toMatch(/^[\p{L}\p{N}][\w:-]*(?:\t[^\p{Cc}]{1,80})?$/u);
    expect(stdout).toContain("\\x1b[31m");
  });

  it("offers nothing and says nothing on standard output where the project cannot be read", () => {
    using folder = makeProject({ "home/.knack/config.yaml": "skills: [\n" });
    expect(knack(folder, ["__complete", "1", "load"])).toMatchObject({ code: 1, stdout: "" });
  });
});

describe("knack completion", () => {
  it("knows its shells, and says so of another", () => {
    using folder = makeProject();
    for (const shell of SHELLS)
      expect(knack(folder, ["completion", shell]).stdout).toContain("knack __complete".split(" ")[1]);
    expect(knack(folder, ["completion", "tcsh"])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("bash, zsh, fish, powershell"),
    });
  });

  it("completes in a real fish", (context) => {
    needs("fish", context);
    using folder = makeShellProject();
    const ask = (line: string): string[] => {
      const { stdout, stderr } = spawnSync(
        "fish",
        ["--no-config", "-c", `source $HOME/knack.fish; complete -C ${JSON.stringify(line)}`],
        { cwd: folder.at("repo"), env: shellEnvironment(folder), encoding: "utf8" },
      );
      expect(stderr).toBe("");
      return stdout.trimEnd().split("\n").sort();
    };
    expect(ask("knack sea")).toEqual(["search\tSearch skills, best match first"]);
    expect(ask("knack list --scope=")).toEqual(["--scope=bundled", "--scope=repo", "--scope=user"]);
    expect(ask("knack load g").map((line) => line.split("\t")[0])).toEqual(["gone", "good"]);
    expect(ask("knack load '")[0]).not.toContain("hacked");
    expect(ask("knack validate no")).toEqual([expect.stringMatching(/^notes dir\//)]);
    expect(existsSync(folder.at("repo/hacked"))).toBe(false);
  });

  it.for<[shell: string, start: string, setup: string]>([
    ["bash", `exec bash --norc --noprofile -i`, `PS1='ready> '; source ~/knack.bash`],
    ["zsh", `exec zsh -f -i`, `PS1='ready> '; autoload -U compinit; compinit -u -D; source ~/knack.zsh`],
    // As a file of fpath, which is read at the first Tab.
    [
      "zsh",
      `exec zsh -f -i`,
      `mkdir ~/fns; cp ~/knack.zsh ~/fns/_knack; fpath=(~/fns $fpath); autoload -U compinit; compinit -u -D; PS1='ready> '`,
    ],
  ])("completes in a real %s", async ([shell, start, setup], context) => {
    needs(shell, context);
    using folder = makeShellProject();
    using window = await openShell(folder, `${start}\n${setup}`);
    const completes = async (typed: string, expected: string): Promise<void> => {
      window.type(typed);
      window.press("Tab");
      await window.shows(`ready> ${expected}`.trimEnd());
      window.press("C-u");
      await window.shows(/^ready>\s*$/m);
    };
    await completes("knack sea", "knack search ");
    await completes("knack load goo", "knack load good ");
    await completes("knack --cwd 'notes dir' load min", "knack --cwd 'notes dir' load mine ");
    await completes("knack list --scope=us", "knack list --scope=user");
    await completes("knack list --scope bun", "knack list --scope bundled ");
    await completes("knack setup clau", "knack setup claude ");
    await completes("knack run text_extract not", "knack run text_extract notes\\ dir/");
    window.type("knack load ");
    window.press("Tab", "Tab");
    const screen = await window.shows((now) => now.includes("gone") && now.includes("mine"));
    expect(screen).not.toMatch(/-rf|touch hacked\)$/m);
    expect(existsSync(folder.at("repo/hacked"))).toBe(false);
  });

  it("completes in a real PowerShell", (context) => {
    needs("pwsh", context);
    using folder = makeShellProject();
    const script = `knack completion powershell | Out-String | Invoke-Expression; (TabExpansion2 'knack load goo' 14).CompletionMatches.CompletionText`;
    const { stdout } = spawnSync("pwsh", ["-NoProfile", "-Command", script], {
      cwd: folder.at("repo"),
      env: shellEnvironment(folder),
      encoding: "utf8",
    });
    expect(stdout.trim()).toBe("good");
  });
});
