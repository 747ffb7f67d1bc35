import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gatesMet, isCommand, narrowedBy } from "./gates.ts";
import { useOf } from "./tool-use.ts";

type Gate = Parameters<typeof gatesMet>[1]["config"]["gates"][number];

function isMet(gate: Omit<Gate, "needs">, tool: string, args: Record<string, unknown>): boolean {
  const catalog = { config: { gates: [{ needs: "x", ...gate }] }, projectRoot: "/work/repo" };
  return gatesMet(useOf({ tool, args, cwd: "/work/repo" }), catalog as never).length > 0;
}

describe("a gate", () => {
  it.each<[string, string, boolean]>([
    ["git push*", "git push origin main", true],
    ["git push*", "git  push", true],
    ["git push*", "make && GIT_SSH=x git push", true],
    ["git push*", "git -C /work/repo --no-pager push -f", true],
    ["git push*", "/usr/bin/git push", true],
    ["git push*", "bash -lc 'npm test && git push'", true],
    ["git push*", "if make; then git push; fi", true],
    ["git push*", "(git push)", true],
    ["git push*", "sudo -E timeout 10 git push", true],
    ["git push*", "echo main | xargs git push origin", true],
    ["curl * | sh", "curl -s http://127.0.0.1/a | sh", true],
    ['psql -c "DROP*', 'psql -c "DROP TABLE a"', true],
    ["git push", "git push", true],
    ["git push*", "git status", false],
    ["git push*", "git commit -m 'then git push'", false],
    ["git push*", "git commit -m 'x\ngit push'", false],
    ["git push*", "cat > notes.txt <<'EOF'\ngit push\nEOF", false],
    ["git push*", "echo git push", false],
  ])("for the command %s meets %s: %s", (glob, command, expected) => {
    expect(isMet({ commands: [glob] }, "Bash", { command })).toBe(expected);
  });

  it.each<[string, string, boolean]>([
    ["**/*.sql", "db/a.sql", true],
    ["**/*.sql", "/elsewhere/a.sql", true],
    ["db/**", "db/.hidden/a", true],
    ["./db/*", "db/a.sql", true],
    ["/work/repo/db/*", "db/a.sql", true],
    ["~/.ssh/**", "~/.ssh/config", true],
    ["**/.env*", ".env.local", true],
    ["*.sql", "db/a.sql", false],
    ["db/**", "../db/a", false],
  ])("for the file %s meets %s: %s", (glob, path, expected) => {
    expect(isMet({ files: [glob] }, "Write", { file_path: path })).toBe(expected);
  });

  it("for every file is no gate for a command that writes none", () => {
    expect(isMet({ files: ["**"] }, "Bash", { command: "ls 2>/dev/null" })).toBe(false);
    expect(isMet({ files: ["**"] }, "Bash", { command: "git checkout" })).toBe(false);
  });

  it("is for its kinds of tools", () => {
    expect(isMet({ tools: ["read"], files: ["**/.env"] }, "Read", { file_path: ".env" })).toBe(true);
    expect(isMet({ tools: ["read"], files: ["**/.env"] }, "Write", { file_path: ".env" })).toBe(false);
    expect(isMet({ tools: ["shell"], files: ["**/*.sql"] }, "Bash", { command: "rm a.sql" })).toBe(true);
    expect(isMet({ tools: ["shell"], files: ["**/*.sql"] }, "Write", { file_path: "a.sql" })).toBe(false);
    expect(isMet({ tools: ["agent"] }, "Agent", { prompt: "x" })).toBe(true);
    expect(isMet({ tools: ["agent"] }, "TodoWrite", {})).toBe(false);
  });
});

describe("isCommand", () => {
  it("is true for what its parts stand for, and reads a long command once", () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{1,3}$/), { minLength: 1 }),
        fc.string(),
        (parts, fill) => {
          expect(
            isCommand(parts.join("*"), parts.join(parts.length > 1 ? fill.replace(/\s+/g, " ").trim() : "")),
          ).toBe(true);
        },
      ),
    );
    expect(isCommand("*a".repeat(500), "a".repeat(1_000_000))).toBe(true);
    expect(isCommand(`${"*a".repeat(500)}*b`, "a".repeat(1_000_000))).toBe(false);
  });
});

describe("allowed-tools", () => {
  const skill = { name: "x", allowedTools: ["Read", "Bash(git log:*)"] } as never;
  it.each<[string, Record<string, unknown>, boolean]>([
    ["Read", {}, true],
    ["read_file", {}, true],
    ["Write", {}, false],
    ["Bash", { command: "git log -1" }, true],
    ["run_shell_command", { command: "git log && git log -2" }, true],
    ["Bash", { command: "git log; rm a" }, false],
    ["Bash", { command: "git log $(rm a)" }, false],
  ])("%s %j: %s", (tool, args, isAllowed) => {
    expect(narrowedBy({ tool }, useOf({ tool, args, cwd: "/" }), skill) === undefined).toBe(isAllowed);
  });
});
