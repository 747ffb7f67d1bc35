import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commandFor, findRunner, isBatchFile, runnerEnvironment, splitWords } from "./runner.ts";

describe("a command line is split into words once, by quotes and white space alone", () => {
  it.each<[string, string[]]>([
    ["node; touch /tmp/pwn", ["node;", "touch", "/tmp/pwn"]],
    [`"/opt/my tools/run" 'it is' "a 'b' c"`, ["/opt/my tools/run", "it is", "a 'b' c"]],
    ["a$IFS`id`$(id) && b | c > d", ["a$IFS`id`$(id)", "&&", "b", "|", "c", ">", "d"]],
    ["a\nb\tc", ["a", "b", "c"]],
    ['a"b c"d', ["ab cd"]],
    [`'' ""`, ["", ""]],
    [String.raw`a\ b "say \"hi\"" 'c\d' C:\dir\x`, ["a b", 'say "hi"', "c\\d", "C:\\dir\\x"]],
    ["~ * ? {a,b} $HOME %PATH%", ["~", "*", "?", "{a,b}", "$HOME", "%PATH%"]],
    ["", []],
  ])("%j", (line, words) => {
    expect(splitWords(line, "EDITOR")).toEqual(words);
  });

  it.each(['a "b', "a 'b"])("a quote that is not closed is wrong: %j", (line) => {
    expect(() => splitWords(line, "EDITOR")).toThrow(/not closed/);
  });

  it("words in single quotes come back as they were", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string().filter((word) => !word.includes("'")),
          { minLength: 1 },
        ),
        (words) => {
          expect(splitWords(words.map((word) => `'${word}'`).join(" "), "EDITOR")).toEqual(words);
        },
      ),
    );
  });
});

describe("the runner", () => {
  it("gets the frame on standard input, or where $(cat) stands as one argument", () => {
    const frame = '$& `id` "quoted" $(cat)\nline';
    const command = (line: string) =>
      commandFor(findRunner({ command: line }, { default: null }) ?? { name: "", argv: [] }, frame);
    expect(command("agent -p")).toEqual({ program: "agent", args: ["-p"], input: frame });
    expect(command('gemini --model "m" -p "$(cat)"')).toEqual({
      program: "gemini",
      args: ["--model", "m", "-p", frame],
      input: null,
    });
    expect(command("agent --prompt=$(cat)").args).toEqual([`--prompt=${frame}`]);
  });

  it("is a preset, or one of the configuration, which wins", () => {
    const runners = {
      default: "mine",
      mine: { command: ["my-agent", "a b"] },
      codex: { command: ["other"] },
    };
    expect(findRunner({}, runners)?.argv).toEqual(["my-agent", "a b"]);
    expect(findRunner({ name: "claude" }, runners)?.argv).toEqual(["claude", "-p"]);
    expect(findRunner({ name: "codex" }, runners)?.argv).toEqual(["other"]);
    expect(findRunner({}, { default: null })).toBeUndefined();
    for (const name of ["claude", "codex", "gemini", "opencode"])
      expect(findRunner({ name }, { default: null })?.argv[0]).toBe(name);
  });

  it.each<[object, RegExp]>([
    [{ name: "claud" }, /Did you mean claude/],
    [{ name: "default" }, /no runner "default"/],
    [{ name: "constructor" }, /no runner/],
    [{ name: "claude", command: "x" }, /not both/],
    [{ command: "  " }, /does not name a program/],
  ])("is refused in words: %j", (wanted, message) => {
    expect(() => findRunner(wanted, { default: null })).toThrow(message);
  });

  it("has the caller's environment without loader variables", () => {
    const kept = { PATH: "/bin", HTTP_PROXY: "p", GIT_DIR: "g", npm_config_x: "y", API_KEY: "k", LDX: "l" };
    const env = {
      ...kept,
      NODE_OPTIONS: "--require x",
      LD_PRELOAD: "x.so",
      LD_LIBRARY_PATH: "l",
      DYLD_INSERT_LIBRARIES: "d",
      _JAVA_OPTIONS: "-javaagent:x",
      JDK_JAVA_OPTIONS: "-javaagent:x",
    };
    expect(runnerEnvironment(env)).toEqual(kept);
    expect(runnerEnvironment({ node_options: "x", Ld_Preload: "y" })).toEqual({});
  });

  it("is no batch file on Windows, which would give its arguments to a shell", () => {
    for (const program of ["claude.cmd", "C:\\x\\run.BAT", "run.bat. ", "a.cmd."])
      expect(isBatchFile(program, "win32")).toBe(true);
    expect(isBatchFile("claude.exe", "win32")).toBe(false);
    expect(isBatchFile("run.bat", "linux")).toBe(false);
  });
});
