import { homedir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { patchedFiles, useOf } from "./tool-use.ts";

const CWD = "/work/repo";
const PATCH = "*** Begin Patch\n*** Update File: a.sql\n*** Move to: b.sql\n*** End Patch";

function writes(tool: string, args: Record<string, unknown>): string[] {
  return useOf({ tool, args, cwd: CWD }).writes.map((path) => path.replace(`${CWD}/`, ""));
}

const shell = (command: unknown): string[] => writes("Bash", { command });

describe("the files that a tool changes", () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ["Write", { file_path: "/x/a.sql" }, ["/x/a.sql"]],
    ["Edit", { file_path: "a.sql" }, ["a.sql"]],
    ["MultiEdit", { file_path: "a.sql" }, ["a.sql"]],
    ["NotebookEdit", { notebook_path: "a.ipynb" }, ["a.ipynb"]],
    ["notebook_edit", { notebook_path: "a.ipynb" }, ["a.ipynb"]],
    ["apply_patch", { command: PATCH }, ["a.sql", "b.sql"]],
    ["apply_patch", { input: PATCH }, ["a.sql", "b.sql"]],
    ["create", { path: "a.sql", file_text: "" }, ["a.sql"]],
    ["edit", { path: "a.sql" }, ["a.sql"]],
    ["write_file", { file_path: "a.sql" }, ["a.sql"]],
    ["replace", { file_path: "a.sql" }, ["a.sql"]],
    ["write", { filePath: "a.sql" }, ["a.sql"]],
    ["patch", { patchText: PATCH }, ["a.sql", "b.sql"]],
    ["move_file", { source: "a.txt", destination: "b.sql" }, ["a.txt", "b.sql"]],
    ["write", { path: "~/a.sql" }, [join(homedir(), "a.sql")]],
    ["Read", { file_path: "a.sql" }, []],
  ])("%s %j", (tool, args, expected) => {
    expect(writes(tool, args)).toEqual(expected);
  });
});

describe("the files that a shell command writes", () => {
  it.each<[string, string[]]>([
    ["echo a > a.sql", ["a.sql"]],
    ["echo a >>a.sql", ["a.sql"]],
    ["make &> a.log", ["a.log"]],
    ["make >| 'a b.log' 2>&1", ["a b.log"]],
    ["cat > a.sql <<'EOF'\nselect 1;\nEOF\necho b > b.sql", ["a.sql", "b.sql"]],
    ["cd db && echo a > a.sql", ["db/a.sql"]],
    ["(cd db && echo a > a.sql); echo b > b.sql", ["db/a.sql", "b.sql"]],
    ["git -C db rm a.sql", ["db/a.sql"]],
    ["bash -lc 'echo a > a.sql'", ["a.sql"]],
    ["bash <<EOF\nrm a.sql\nEOF", ["a.sql"]],
    ["sudo rm -f a.sql", ["a.sql"]],
    ["if true; then rm a.sql; fi", ["a.sql"]],
    ["echo $(rm a.sql)", ["a.sql"]],
    ['echo "$(rm a.sql)"', ["a.sql"]],
    ["sed -i s/a/b/ a.sql", ["a.sql"]],
    ["mv a.txt db/a.sql", ["a.txt", "db/a.sql", "db/a.sql/a.txt"]],
    ["cp /tmp/a.sql db", ["db", "db/a.sql"]],
    ["curl -s -o a.sql http://127.0.0.1/", ["a.sql"]],
    ["dd if=/dev/zero of=a.sql", ["a.sql"]],
    [`apply_patch <<'EOF'\n${PATCH}\nEOF`, ["a.sql", "b.sql"]],
    ["git apply <<'EOF'\n--- a/a.sql\n+++ b/a.sql\nEOF", ["a.sql"]],
    [String.raw`copy > C:\db\a.sql`, [String.raw`C:\db\a.sql`]],
    ["echo a > $HOME/a.sql", [join(homedir(), "a.sql")]],
    [`: ${"x".repeat(30_000)}; rm a.sql`, ["a.sql"]],
  ])("%s", (command, expected) => {
    expect(shell(command)).toEqual(expected);
  });

  it.each([
    "make 2>/dev/null",
    "git commit -m 'fix: a.txt -> b.sql; rm a.sql'",
    'git commit -m "$(cat <<\'EOF\'\nDon\'t "> a.sql"\nrm a.sql\nEOF\n)"',
    "gh pr create --body 'x\nrm a.sql'",
    "sed -i 's/a/b.sql/' /dev/stdin",
    "cp a.sql /dev/stdout",
    "grep -n '=> a.sql' b.ts",
    "psql < a.sql",
    "echo a # > a.sql",
    "git checkout -b",
    "dd if=a.sql",
  ])("nothing by %s", (command) => {
    expect(shell(command)).toEqual([]);
  });

  it("takes a command that is given as a list", () => {
    expect(shell(["bash", "-lc", "cd db && echo 'a' > a.sql"])).toEqual(["db/a.sql"]);
    expect(shell(["apply_patch", PATCH])).toEqual(["a.sql", "b.sql"]);
  });

  it("takes any text, and reads a long one in one go", () => {
    const piece = fc.constantFrom(
      ..."'\"\\$()<>|;&`#\n \t-=~ab".split(""),
      ...[
        "$(",
        "<<",
        "<<'E'\n",
        "E\n",
        "> a",
        "cd ",
        "bash -c ",
        "git -C ",
        "--- a\n+++ b\n",
        "*** Move to: ",
        "eval ",
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
        const text = pieces.join("");
        const { writes: found, commands = [] } = useOf({ tool: "Bash", args: { command: text }, cwd: CWD });
        expect(found.every((path) => path.startsWith("/"))).toBe(true);
        expect(commands.flat().every((name) => typeof name === "string")).toBe(true);
        patchedFiles(text);
      }),
    );
    const repeated = [
      "'",
      '"',
      '"\\',
      '\\"',
      "$(",
      "(",
      ")",
      "`",
      "<<a\n",
      "<<a",
      ">",
      "> ",
      "a;",
      "\n",
      "\t",
      "--- ",
      "--- a\n",
      "$((",
      '"$(',
      "bash -c '",
      "eval ",
      "cd a;",
      "#",
      "1>",
    ];
    for (const part of repeated) useOf({ tool: "Bash", args: { command: part.repeat(100_000) }, cwd: CWD });
    for (const part of repeated) patchedFiles(part.repeat(100_000));
  });
});
