import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import type { TestContext } from "vitest";
import type { Folder } from "../../../packages/core/src/testing/files.ts";
import { environment, knack, makeProject, PROGRAM, REPO } from "../run.ts";
import { TerminalWindow } from "../terminal-window.ts";

/** Names that no shell may see, in folders that lenient validation reads. */
const ODD = ["$(touch hacked)", "a b", "-rf", "x;touch hacked"];

/** A project with skills, and `knack` in a folder of the PATH. */
export function makeShellProject(): Folder {
  const odd = ODD.map((name, i) => [
    `${REPO}/odd-${i}/SKILL.md`,
    `---\nname: ${JSON.stringify(name)}\ndescription: d\n---\n`,
  ]);
  const folder = makeProject({
    "bin/": "",
    "repo/notes dir/": "",
    [`${REPO}/gone/SKILL.md`]:
      '---\nname: gone\ndescription: "Steers \\e[31m $(touch hacked) `touch hacked`: %B"\n---\n',
    "home/.knack/config.yaml": "skills: { disabled: [off], validation: lenient }\n",
    ...Object.fromEntries(odd),
  });
  writeFileSync(folder.at("bin/knack"), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
  chmodSync(folder.at("bin/knack"), 0o755);
  for (const shell of ["bash", "zsh", "fish"])
    folder.write({ [`home/knack.${shell}`]: knack(folder, ["completion", shell]).stdout });
  return folder;
}

export function shellEnvironment(folder: Folder): Record<string, string> {
  return { ...environment(folder), PATH: `${folder.at("bin")}:${process.env.PATH}`, LANG: "C.UTF-8" };
}

/** Skips a test with the reason where the shell is missing. */
export function needs(shell: string, { skip }: TestContext): void {
  skip(spawnSync(shell, ["--version"]).error !== undefined, `${shell} is not installed`);
}

/** A shell at its prompt, with the completion loaded. */
export async function openShell(folder: Folder, start: string): Promise<TerminalWindow> {
  const window = new TerminalWindow(folder, { columns: 100, env: shellEnvironment(folder) });
  window.run(start);
  await window.shows(/^ready>/m);
  return window;
}
