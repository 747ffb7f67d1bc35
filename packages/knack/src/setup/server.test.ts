import { chmodSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../../core/src/testing/files.ts";
import { ownCommand } from "./server.ts";

describe("the command that a client gets", () => {
  it.each([
    ["linux", false, "knack"],
    ["darwin", false, "knack"],
    ["linux", true, process.execPath],
    ["darwin", true, process.execPath],
    ["win32", false, process.execPath],
    ["win32", true, process.execPath],
  ] as const)(
    "is absolute where the shell's search path does not reach: %s, desktop %s",
    (platform, isDesktop, first) => {
      using folder = makeFolder({ "lib/knack.js": "#!/usr/bin/env node\n", "bin/": "" });
      chmodSync(folder.at("lib/knack.js"), 0o755);
      symlinkSync(folder.at("lib/knack.js"), folder.at("bin/knack"));
      const launcher = folder.at("bin/knack");
      const words = ownCommand({ env: { PATH: folder.at("bin") }, platform }, isDesktop, launcher);
      expect(words).toEqual(first === "knack" ? ["knack"] : [first, folder.at("lib/knack.js")]);
    },
  );
});
