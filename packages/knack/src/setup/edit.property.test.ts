import { KnackError } from "@knack/core/text";

import fc from "fast-check";
import { type ParseError, parse as parseJson } from "jsonc-parser";
import { parse as parseToml, stringify as tomlText } from "smol-toml";
import { describe, expect, it } from "vitest";
import { cases } from "../../../core/src/shared/testing/cases.ts";
import { jsonEditor } from "./edit-json.ts";
import { tomlEditor } from "./edit-toml.ts";
import { isOurHook } from "./hooks.ts";
import { type Editor, type Member, planRemoval, planSetup } from "./plan-change.ts";

const fault = (reason: string): KnackError => new KnackError("CONFIG_INVALID", reason);
const json = jsonEditor("jsonc", fault);
const toml = tomlEditor(fault);
const SERVER: Member = {
  path: ["mcpServers"],
  key: "knack",
  value: { command: "/usr/bin/node", args: ["/opt/knack.js", "mcp"] },
};
const QUESTION: Member = {
  path: ["inputs"],
  key: "knack-token",
  isOurs: (entry) => (entry as { id?: unknown } | null)?.id === "knack-token",
  value: { id: "knack-token", type: "promptString" },
};
const HTTP = {
  ...SERVER,
  value: { url: "http://127.0.0.1:4747/mcp", headers: { Authorization: "Bearer x" } },
};

/** Set up and removed, as the commands do it: the backup is the text from before. */
function undo(editor: Editor, text: string, members: readonly Member[]): string | undefined {
  const set = planSetup({ text, backups: [], editor }, members, members);
  if (!set) return text;
  const backups = [{ path: "b", text, mode: 0o600 }];
  return planRemoval({ text: set.text, backups, editor }, members)?.text;
}

/** Comments of a text, in their order. */
const comments = (text: string): string[] => text.match(/\/\*c\d+\*\/|\/\/c\d+/g) ?? [];

const comment = fc.nat(99).chain((n) => fc.constantFrom(`/*c${n}*/`, `//c${n}\n`));
const gap = (isTight: boolean): fc.Arbitrary<string> =>
  isTight
    ? fc.constant("")
    : fc
        .array(fc.oneof(fc.constantFrom("", " ", "\n", "\n  ", "\t", "\r\n"), comment), { maxLength: 3 })
        .map((parts) => parts.join(""));
const word = fc.constantFrom("a", "b", "mcpServers", "inputs", "x y", "ü", '"', "servers");
const leaf = fc.constantFrom("1", "null", "true", '"text // no comment"', '"}"', "[]", "{}", "-1.5e3");

/** The text of a document with comments, gaps and trailing commas anywhere, whose holders are of the right kind. */
const jsonDocument = fc.boolean().chain((isTight) => {
  const filler = gap(isTight);
  const value = (depth: number): fc.Arbitrary<string> =>
    depth === 0 ? leaf : fc.oneof(leaf, object(depth - 1), list(depth - 1));
  const joined = (parts: fc.Arbitrary<string[]>, open: string, close: string): fc.Arbitrary<string> =>
    fc
      .tuple(parts, fc.array(filler, { minLength: 12, maxLength: 12 }), fc.boolean())
      .map(([all, gaps, isTrailing]) => {
        const inner = all.map((one, at) => `${gaps[at]}${one}${gaps[at + 4]}`).join(",");
        return `${open}${inner}${isTrailing && all.length > 0 ? "," : ""}${gaps[11]}${close}`;
      });
  const property = (depth: number): fc.Arbitrary<string> =>
    word.chain((key) => {
      const inner = key === "mcpServers" ? object(depth) : key === "inputs" ? list(depth) : value(depth);
      return fc.tuple(filler, inner).map(([space, text]) => `${JSON.stringify(key)}:${space}${text}`);
    });
  const object = (depth: number): fc.Arbitrary<string> =>
    joined(fc.uniqueArray(property(depth), { maxLength: 3, selector: (one) => one.split(":")[0] }), "{", "}");
  const list = (depth: number): fc.Arbitrary<string> =>
    joined(fc.array(value(depth), { maxLength: 3 }), "[", "]");
  return fc.tuple(filler, object(3), filler).map((parts) => parts.join(""));
});

function readJson(text: string): unknown {
  const errors: ParseError[] = [];
  const value = parseJson(text, errors, { allowTrailingComma: true });
  expect(errors).toEqual([]);
  return value;
}

describe("a server in JSON with comments", () => {
  it("set up and removed leaves every byte as it was", () => {
    fc.assert(
      fc.property(jsonDocument, fc.constantFrom("", "\ufeff"), (text, mark) => {
        for (const members of [[SERVER], [QUESTION, SERVER]])
          expect(undo(json, mark + text, members)).toBe(mark + text);
      }),
      { numRuns: cases(4_000) },
    );
  });

  it("is added without a change of anything else, and only once", () => {
    fc.assert(
      fc.property(jsonDocument, (text) => {
        const after = json.put(text, [QUESTION, SERVER]);
        const value = readJson(after) as Record<string, Record<string, unknown>>;
        expect(value.mcpServers?.knack).toEqual(SERVER.value);
        expect(comments(after)).toEqual(comments(text));
        expect(json.put(after, [QUESTION, SERVER])).toBe(after);
        expect(planSetup({ text: after, backups: [], editor: json }, [QUESTION, SERVER], [])).toBeUndefined();
      }),
      { numRuns: cases(4_000) },
    );
  });

  it("goes without a backup too: other keys and their comments stay", () => {
    fc.assert(
      fc.property(jsonDocument, (text) => {
        const holders = readJson(text) as Record<string, unknown>;
        const after = json.put(text, [QUESTION, SERVER]);
        const left = json.drop(after, [QUESTION, SERVER], ([key = ""]) => key in holders);
        expect(readJson(left)).toEqual(holders);
        expect(comments(left)).toEqual(comments(text));
      }),
      { numRuns: cases(4_000) },
    );
  });

  it("changed from one form to the other is as if it had never had the first", () => {
    fc.assert(
      fc.property(jsonDocument, (text) => {
        const backups = [{ path: "b", text, mode: 0o600 }];
        const first = json.put(text, [SERVER]);
        const second = planSetup({ text: first, backups, editor: json }, [HTTP], [HTTP]);
        expect(second?.text).toBe(json.put(text, [HTTP]));
      }),
      { numRuns: cases(1_000) },
    );
  });
});

const TABLE: Member = { ...SERVER, path: ["mcp_servers"] };
const tomlKey = fc.constantFrom("model", "a-b", "x", "mcp_servers", "ünï");
const tomlLeaf = fc.constantFrom<unknown>(
  "text",
  "# no comment",
  "[mcp_servers.knack]",
  "two\nlines\n[mcp_servers.knack]\n",
  1,
  1.5,
  true,
  [1, 2],
  ["[mcp_servers.knack]"],
);

/** A document as a program writes it, with comments between its lines. */
const tomlDocument = fc
  .tuple(
    fc.dictionary(tomlKey, tomlLeaf, { maxKeys: 3 }).map(({ mcp_servers: _servers, ...rest }) => rest),
    fc.dictionary(
      fc.constantFrom("other", "Knack", "kn.ack"),
      fc.dictionary(tomlKey, tomlLeaf, { minKeys: 1, maxKeys: 3 }),
      { maxKeys: 3 },
    ),
    fc.infiniteStream(fc.constantFrom("", "", "", "# c\n", "\n", "  # [mcp_servers.knack]\n")),
    fc.constantFrom("\n", "\r\n"),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([top, servers, gaps, lineEnd, hasEnd, isRaw]) => {
    const plain = tomlText({ ...top, ...(Object.keys(servers).length > 0 ? { mcp_servers: servers } : {}) });
    const raw = isRaw
      ? `${plain}\n[last]\nnote = """\nraw\n[mcp_servers.knack]\n# in it\n"""\nlist = [\n  [1],\n]\n`
      : plain;
    const lines = raw.split("\n");
    let isInside = false;
    const spread = lines.map((line) => {
      const before = isInside ? "" : (gaps.next().value ?? "");
      if (line.includes('"""') || line === "list = [") isInside = !isInside;
      if (line === "]") isInside = false;
      return before + line;
    });
    const text = spread.join("\n").replaceAll("\n", lineEnd);
    return hasEnd ? text : text.trimEnd();
  });

describe("a server in TOML", () => {
  it("set up and removed leaves every byte as it was", () => {
    fc.assert(
      fc.property(tomlDocument, fc.constantFrom("", "\ufeff"), (text, mark) => {
        expect(undo(toml, mark + text, [TABLE])).toBe(mark + text);
      }),
      { numRuns: cases(2_000) },
    );
  });

  it("is added, changed and removed without a change of anything else", () => {
    fc.assert(
      fc.property(
        tomlDocument,
        fc.constantFrom("", "\n[z]\nk = 1\n", "\n# of z\n[z]\nk = 1\n"),
        (text, next) => {
          const more = text.includes("\r\n") ? next.replaceAll("\n", "\r\n") : next;
          const before = parseToml(text + more);
          const after = toml.put(text, [TABLE]) + more;
          expect((parseToml(after) as { mcp_servers: Record<string, unknown> }).mcp_servers.knack).toEqual(
            TABLE.value,
          );
          const changed = toml.put(after, [{ ...TABLE, value: { url: "u" } }]);
          expect(toml.put(changed, [TABLE])).toBe(after);
          const left = toml.drop(changed, [TABLE], () => false);
          expect(parseToml(left)).toEqual(before);
          expect(left.match(/# of z|# c\b/g)).toEqual((text + more).match(/# of z|# c\b/g));
        },
      ),
      { numRuns: cases(2_000) },
    );
  });
});

const HOOK: Member = {
  path: ["hooks", "PreToolUse"],
  key: "knack",
  isOurs: isOurHook,
  value: { matcher: "Bash", hooks: [{ type: "mcp_tool", server: "knack", tool: "hook" }] },
};
const STOP: Member = {
  ...HOOK,
  path: ["hooks", "Stop"],
  value: { hooks: [{ type: "command", command: "knack hook stop" }] },
};

/** Groups of hooks as people have them, and as Knack wrote them before. */
const theirs = fc.constantFrom(
  '{"type":"command","command":"lint"}',
  '{"type":"command","command":"my-knack-notes"}',
);
const ours = fc.constantFrom(
  '{"type":"command","command":"knack hook tool"}',
  '{"type":"mcp_tool","server":"knack"}',
);
const groupOf = (hook: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .array(hook, { minLength: 1, maxLength: 3 })
    .map((hooks) => `{"matcher":"x","hooks":[${hooks.join(", ")}]}`);
const hooksDocument = (hook: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.dictionary(
        fc.constantFrom("PreToolUse", "Stop", "Other"),
        fc.array(groupOf(hook), { maxLength: 3 }),
      ),
      fc.constantFrom("", "\n  ", "\n\t", "\r\n    ", "/*c1*/ "),
      fc.boolean(),
    )
    .map(([events, gap, hasHooks]) => {
      const lists = Object.entries(events).map(
        ([event, groups]) => `${gap}"${event}": [${gap}${groups.join(`,${gap}`)}]`,
      );
      return `{${gap}"a": 1${hasHooks ? `,${gap}"hooks": {${lists.join(",")}}` : ""}\n}\n`;
    });

describe("hooks in JSON with comments", () => {
  it("set up and removed leaves every byte as it was", () => {
    fc.assert(
      fc.property(hooksDocument(theirs), (text) => {
        expect(undo(json, text, [SERVER, HOOK, STOP])).toBe(text);
      }),
      { numRuns: cases(1_000) },
    );
  });

  it("stand once, behind those of others, whatever was there before; and only they go", () => {
    fc.assert(
      fc.property(hooksDocument(fc.oneof(theirs, ours)), (text) => {
        const hooksOf = (from: string) =>
          (readJson(from) as { hooks?: Record<string, { hooks: object[] }[]> }).hooks ?? {};
        const foreign = (from: string) =>
          Object.entries(hooksOf(from)).flatMap(([event, groups]) =>
            groups.flatMap(({ hooks }) =>
              hooks.filter((hook) => !isOurHook(hook)).map((hook) => ({ event, hook })),
            ),
          );
        const after = json.put(text, [HOOK, STOP]);
        expect(foreign(after)).toEqual(foreign(text));
        for (const { path, value } of [HOOK, STOP])
          expect(hooksOf(after)[path[1] ?? ""]?.filter((group) => group.hooks.some(isOurHook))).toEqual([
            value,
          ]);
        expect(json.put(after, [HOOK, STOP])).toBe(after);
        const left = json.drop(after, [HOOK, STOP], () => false);
        const wanted = foreign(text).filter(({ event }) => event !== "Other");
        expect(foreign(left).filter(({ event }) => event !== "Other")).toEqual(wanted);
        expect(comments(left)).toEqual(comments(text));
      }),
      { numRuns: cases(1_000) },
    );
  });
});

describe("a setting in TOML", () => {
  const SETTING: Member = { path: ["skills"], key: "include_instructions", value: false };
  it("set up and removed leaves every byte as it was, in a table that is there or a new one", () => {
    fc.assert(
      fc.property(
        tomlDocument,
        fc.constantFrom(
          "",
          "\n[skills]\n",
          "\n[skills] # mine\nx = 1\n",
          "\n[[skills.config]]\nname = 'a'\nenabled = false\n",
        ),
        (text, table) => {
          const whole = text + (text.includes("\r\n") ? table.replaceAll("\n", "\r\n") : table);
          const after = toml.put(whole, [TABLE, SETTING]);
          expect(parseToml(after)).toMatchObject({ skills: { include_instructions: false } });
          expect(toml.put(after, [TABLE, SETTING])).toBe(after);
          expect(undo(toml, whole, [TABLE, SETTING])).toBe(whole);
          const left = toml.drop(after, [SETTING, TABLE], () => false);
          const { skills: before, ...rest } = parseToml(whole) as Record<string, object>;
          const { skills: now, ...others } = parseToml(left) as Record<string, object>;
          expect(others).toEqual(rest);
          expect(now ?? {}).toEqual(before ?? {});
        },
      ),
      { numRuns: cases(1_000) },
    );
  });
});
