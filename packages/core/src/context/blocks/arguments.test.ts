import { describe, expect, it } from "vitest";
import { SkillError } from "../../shared/errors.ts";
import { applyArguments } from "./arguments.ts";

describe("001 $ARGUMENTS", () => {
  it("replaces every occurrence, in code fences too", () => {
    expect(applyArguments("Do $ARGUMENTS.\n```\nrun $ARGUMENTS\n```\n", "a b")).toBe(
      "Do a b.\n```\nrun a b\n```\n",
    );
  });

  it.each(["$ARGUMENTS", "$&", "$1", "$$", "$`", "$'", "$<x>", "\\", "a\nb"])(
    "inserts %j literally",
    (args) => {
      expect(applyArguments("<$ARGUMENTS|$ARGUMENTS>", args)).toBe(`<${args}|${args}>`);
    },
  );

  it("makes the placeholder empty where there are no arguments", () => {
    expect(applyArguments("Do $ARGUMENTS now.", "")).toBe("Do  now.");
  });

  it.each(["text", "text\n", "text\n\n\n", "text\r\n"])(
    "adds a last section after one blank line: %j",
    (body) => {
      expect(applyArguments(body, "x $ARGUMENTS")).toBe("text\n\nARGUMENTS: x $ARGUMENTS");
    },
  );

  it("gives an empty body the section alone", () => {
    expect(applyArguments("\n", "x")).toBe("ARGUMENTS: x");
  });

  it("changes no byte without placeholder and arguments", () => {
    expect(applyArguments("text \r\n\n\n", "")).toBe("text \r\n\n\n");
  });

  it("takes a longer name and a numbered argument for something else", () => {
    const body = "$ARGUMENTS_FILE $ARGUMENTSX $ARGUMENTS2 $ARGUMENTS[0] $arguments $(ARGUMENTS)";
    expect(applyArguments(body, "x")).toBe(`${body}\n\nARGUMENTS: x`);
  });

  it("finds the placeholder before punctuation and letters of other scripts", () => {
    expect(applyArguments("$ARGUMENTSを読む。$ARGUMENTS. `$ARGUMENTS` $ARGUMENTS[a] \\$ARGUMENTS", "x")).toBe(
      "xを読む。x. `x` x[a] \\x",
    );
  });

  it("refuses what would not fit into memory", () => {
    expect(() => applyArguments("$ARGUMENTS ".repeat(90_000), "x".repeat(1_000_000))).toThrow(SkillError);
  });
});

describe("AG-03 code in a body", () => {
  it("keeps $0, $1 and other variables", () => {
    const body = "```sh\nawk '{print $1}' \"$0\" $@ $* $# $(1)\n```";
    expect(applyArguments(`${body} $ARGUMENTS`, "one two")).toBe(`${body} one two`);
    expect(applyArguments(body, "one")).toBe(`${body}\n\nARGUMENTS: one`);
  });
});
