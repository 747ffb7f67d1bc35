import { execFileSync } from "node:child_process";
import { rmSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../testing/files.ts";
import { holdByKernel } from "./hold.ts";

describe.runIf(process.platform === "linux")("where a held thing is, by the kernel's word", () => {
  const placeOf = (path: string): string => {
    let place = "";
    const isAllowed = (real: string): boolean => {
      place = real;
      return false;
    };
    expect(holdByKernel(path, isAllowed)).toBeUndefined();
    return place;
  };

  it("is its path without links", () => {
    using folder = makeFolder({ "a/b/c": "", link: { link: "a/b" } });
    expect(placeOf(folder.at("link/c"))).toBe(folder.at("a/b/c"));
  });

  it("is where it was if it was deleted meanwhile", () => {
    using folder = makeFolder({ a: "text" });
    using held = holdByKernel(folder.at("a"), () => true);
    rmSync(folder.at("a"));
    expect(placeOf(held?.handle ?? "")).toBe(folder.at("a"));
  });

  it("keeps a name that only looks like the mark of a deleted file", () => {
    using folder = makeFolder({ "a (deleted)": "", "b (deleted)/c": "", link: { link: "b (deleted)" } });
    expect(placeOf(folder.at("a (deleted)"))).toBe(folder.at("a (deleted)"));
    expect(placeOf(folder.at("link"))).toBe(folder.at("b (deleted)"));
  });

  it("is nowhere if its name is no UTF-8 and only decodes to an allowed one", () => {
    using folder = makeFolder();
    execFileSync("sh", ["-c", 'd="$(printf "s\\377")" && mkdir "$d" && echo x >"$d/x"'], {
      cwd: folder.path,
    });
    symlinkSync(Buffer.from([0x73, 0xff]), folder.at("s\ufffd"));
    expect(holdByKernel(folder.at("s\ufffd/x"), () => true)).toBeUndefined();
  });
});
