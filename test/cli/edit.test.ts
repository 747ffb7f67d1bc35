import { chmodSync, existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Folder } from "../../packages/core/src/testing/files.ts";
import { knack, makeProject, REPO } from "./run.ts";
import { TerminalWindow } from "./terminal-window.ts";

/** An editor that notes its words, and replaces the file by the content of `next`. */
const EDITOR = `#!/bin/sh
for word in "$@"; do echo "[$word]" >> "$HOME/words"; done
echo "token=$KNACK_TOKEN" >> "$HOME/words"
test -t 1 && echo "drawn on a terminal"
for file in "$@"; do :; done
cat "$HOME/next" > "$file"
`;
const VALID = "---\nname: good\ndescription: Better.\n---\n";

function makeEditable(next = VALID): Folder {
  const folder = makeProject({ "home/my editor": EDITOR, "home/next": next });
  chmodSync(folder.at("home/my editor"), 0o755);
  return folder;
}

const withEditor = (folder: Folder): { env: Record<string, string> } => ({
  env: { EDITOR: `'${folder.at("home/my editor")}' --wait '$HOME;x'`, KNACK_TOKEN: "secret", VISUAL: "" },
});

describe("knack edit", () => {
  it("opens the SKILL.md in the editor without a shell, waits, and checks it", async () => {
    using folder = makeEditable();
    using window = new TerminalWindow(folder, withEditor(folder));
    window.run("told knack edit good");
    const screen = await window.shows("ended with 0");
    expect(screen).toContain("drawn on a terminal");
    expect(screen).toContain("valid: 1 skill checked, 0 errors, 0 warnings");
    const file = folder.at(`${REPO}/good/SKILL.md`);
    expect(readFileSync(folder.at("home/words"), "utf8")).toBe(`[--wait]\n[$HOME;x]\n[${file}]\ntoken=\n`);
    expect(readFileSync(file, "utf8")).toBe(VALID);
  });

  it("exits as validate does, and draws on the terminal while --json goes to a file", async () => {
    using folder = makeEditable("---\nname: Good\ndescription: d\n---\n");
    using window = new TerminalWindow(folder, withEditor(folder));
    window.run("told knack edit good --json > out.json");
    await window.shows("ended with 1");
    expect(window.screen).toContain("drawn on a terminal");
    expect(JSON.parse(window.file("out.json"))).toMatchObject({
      checked: 1,
      errors: [{ code: "E_NAME_INVALID" }, { code: "E_NAME_DIR_MISMATCH" }],
    });
  });

  it.each(["bad", `.agents/skills/bad`, `.agents/skills/bad/SKILL.md`])(
    "opens a skill that was left out: %s",
    async (reference) => {
      using folder = makeEditable("---\nname: bad\ndescription: Not any more.\n---\n");
      using window = new TerminalWindow(folder, withEditor(folder));
      window.run(`told knack edit ${reference}`);
      await window.shows("ended with 0");
      expect(readFileSync(folder.at(`${REPO}/bad/SKILL.md`), "utf8")).toContain("Not any more");
    },
  );

  it.each([
    ["good", {}, 1, "No editor is set"],
    ["good", { EDITOR: "  " }, 1, "No editor is set"],
    ["good", { EDITOR: "no-such-editor -x" }, 1, '"no-such-editor" of EDITOR was not found'],
    ["good", { VISUAL: "./editor", EDITOR: "true" }, 1, '"./editor" of VISUAL was not found'],
    ["good", { EDITOR: "'true" }, 2, "not closed"],
    ["good", { EDITOR: "touch hacked" }, 2, "needs a terminal"],
    ["nobody", { EDITOR: "true" }, 1, "nobody"],
    ["./nobody", { EDITOR: "true" }, 1, "nobody"],
  ])("refuses %s with %j", (reference, env, code, said) => {
    using folder = makeProject({ "repo/editor": "#!/bin/sh\ntouch hacked\n" });
    chmodSync(folder.at("repo/editor"), 0o755);
    const refused = knack(folder, ["edit", reference], { env });
    expect(refused).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(said) });
    expect(existsSync(folder.at("repo/hacked"))).toBe(false);
  });
});
