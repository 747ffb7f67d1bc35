import { readFileSync, writeFileSync } from "node:fs";
import { withLock } from "../lock.ts";

const [userFolder = "", file = "", times = "0"] = process.argv.slice(2);
for (let turn = 0; turn < Number(times); turn++)
  await withLock(userFolder, file, () => writeFileSync(file, String(Number(readFileSync(file, "utf8")) + 1)));
