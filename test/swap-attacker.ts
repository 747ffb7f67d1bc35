import { existsSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";

/**
 * A process that swaps a path with a link, over and over, until it times out or its parent has exited:
 *
 *     node swap-attacker.ts <path> <target of the link> <milliseconds> <moves|replaces>
 *
 * `moves` renames the original away and the link into its place, then back. `replaces` alternately renames a new file and a new
 * link over the path, so that the path always exists.
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
