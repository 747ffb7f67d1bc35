import { existsSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";

/**
 * A process that exchanges a path and a link, over and over, until its time is up or its parent is gone:
 *
 *     node swap-attacker.ts <path> <where the link leads> <milliseconds> <moves|replaces>
 *
 * `moves` puts the thing aside and the link in its place, then back, by renames. `replaces` renames a new file and a new
 * link over the path in turn, so that there is no moment without either.
 */
const [path = "", target = "", milliseconds = "0", manner = "moves"] = process.argv.slice(2);
const end = Date.now() + Number(milliseconds);
const aside = `${path}.aside`;
const link = `${path}.link`;
const parent = process.ppid;

function swapByMoves(): void {
  renameSync(path, aside);
  renameSync(link, path);
  renameSync(path, link);
  renameSync(aside, path);
}

function swapByReplacing(): void {
  symlinkSync(target, link);
  renameSync(link, path);
  writeFileSync(aside, "inside\n");
  renameSync(aside, path);
}

if (manner === "moves") symlinkSync(target, link);
process.stdout.write("ready\n");
while (Date.now() < end && process.ppid === parent) {
  for (let i = 0; i < 100; i++) manner === "moves" ? swapByMoves() : swapByReplacing();
}
if (existsSync(link)) unlinkSync(link);
