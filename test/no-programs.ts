import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";

/** Unit tests start no programs, because that is slow. Tests that do are named `*.program.test.ts`. */
for (const name of ["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "fork"] as const)
  Object.assign(childProcess, {
    [name]: () => {
      throw new Error(
        `A unit test called ${name}. Name its file *.program.test.ts, *.slow.test.ts or *.timed.test.ts.`,
      );
    },
  });
syncBuiltinESMExports();
