import { describe, expect, it } from "vitest";
import { makeFolder } from "../../packages/core/src/testing/files.ts";
import { knack } from "./run.ts";
import { ask } from "./typed-skills.ts";

describe("knack store gc", () => {
  it("has nothing to do where artifacts are local files alone", () => {
    using folder = makeFolder({ "repo/.git/": "" });
    expect(ask(folder, ["store", "gc"]).data).toMatchObject({ removed: 0, place: null });
    expect(knack(folder, ["store", "gc"]).stdout).toContain("only in workspace/artifacts");
  });

  it.each(["0h", "59m", "x", "7", "-1d"])("refuses --older-than %s", (age) => {
    using folder = makeFolder({ "repo/.git/": "" });
    const { code, stderr } = knack(folder, ["store", "gc", `--older-than=${age}`]);
    expect(code).toBe(2);
    expect(stderr).toContain("at least 1h");
  });

  it("says what to do where artifacts.url is postgres and the store is not", () => {
    using folder = makeFolder({
      "repo/.git/": "",
      "repo/a.txt": "a",
      "home/.knack/config.yaml": "artifacts: { url: postgres }\n",
    });
    const { code, stderr } = knack(folder, ["run", "text_extract", "a.txt"]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      "artifacts.url: postgres needs a store in PostgreSQL. Set store.url to postgres://…",
    );
  });
});
