import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../packages/core/src/testing/files.ts";
import { TerminalWindow } from "../../test/cli/terminal-window.ts";
import { terminalSvg } from "./terminal-svg.ts";

const ROOT = join(import.meta.dirname, "../..");
const COLUMNS = 96;
const COMMANDS = [
  'knack search "what changed since v2" --limit 3',
  'knack search "帮我看看这个 PR"',
  "knack graph",
];
const END = "end of the picture";

/** The README's picture: the built program in a real terminal, with a copy of this repository's skills. Needs tmux. */
export async function drawPicture(): Promise<string> {
  using folder = makeFolder({ "repo/.git/": "", "show.sh": script() });
  for (const name of [".agents", "skills"])
    cpSync(join(ROOT, name), folder.at("repo", name), { recursive: true });
  using window = new TerminalWindow(folder, { columns: COLUMNS, rows: 60 });
  window.run(`. ${folder.at("show.sh")}`);
  await window.shows(END);
  const [screen = ""] = window.colours.split(END);
  return terminalSvg(screen, { columns: COLUMNS, title: `Output of: ${COMMANDS.join(" · ")}` });
}

/** Each command as typed, then its output. */
function script(): string {
  const lines = COMMANDS.flatMap((command) => [`echo '$ ${command}'`, command, "echo"]);
  return ["clear", ...lines, `echo '${END}'`, ""].join("\n");
}

if (import.meta.main) writeFileSync(join(ROOT, "docs/picture.svg"), await drawPicture());
