import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const examples = join(import.meta.dirname, "..", "examples");

describe("the examples", () => {
  it.each(readdirSync(examples).filter((name) => name.endsWith(".ts")))(
    "%s runs and its assertions hold",
    (name) => {
      const output = execFileSync(process.execPath, [join(examples, name)], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      });
      expect(output).not.toBe("");
    },
  );
});
