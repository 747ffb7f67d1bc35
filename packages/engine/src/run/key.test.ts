import { describe, expect, it } from "vitest";
import { cases } from "../../../core/src/shared/testing/cases.ts";
import type { JsonObject } from "../json/json.ts";
import { paramsChecker } from "../registry/check-params.ts";
import { idempotencyKey, type KeyParts } from "./key.ts";

const A = "a".repeat(64);
const B = "b".repeat(64);
const base: KeyParts = {
  name: "diff_artifact",
  version: "1",
  digest: "d".repeat(64),
  inputs: [
    { role: "left", ending: ".md", sha256: A },
    { role: "right", ending: ".md", sha256: B },
  ],
  outputs: { artifacts: [], evidences: [] },
  params: { max_chars: 10 },
  env: {},
  strategy: "INPUT_HASHES_PLUS_PARAMS",
};
const key = (changes: Partial<KeyParts> = {}) => idempotencyKey({ ...base, ...changes });

describe("003 §4.1 the idempotency key", () => {
  it("is a sha256 that does not change between two versions of this program", () => {
    expect(key()).toBe("1dc15c3b4e1d706caa3b1fe917e0a3f477280220debe8db9e06c3ccd63baa086");
  });

  it("changes with what is declared as output, and with the ending of an input's name", () => {
    const artifact = { name: "out", format: "txt", pathTemplate: "workspace/artifacts/{name}.txt" };
    const declared = [
      { artifacts: [artifact], evidences: [] },
      { artifacts: [{ ...artifact, pathTemplate: "workspace/artifacts/{key}.txt" }], evidences: [] },
      { artifacts: [{ ...artifact, format: "md" }], evidences: [] },
      { artifacts: [], evidences: [{ kind: "A", fields: ["b", "c"] }] },
      { artifacts: [], evidences: [{ kind: "A", fields: ["b"] }] },
    ].map((outputs) => key({ outputs }));
    const inputs = base.inputs.map((input) => ({ ...input, ending: ".txt" }));
    expect(new Set([key(), key({ inputs }), ...declared]).size).toBe(7);
  });

  it("changes with the value of a listed variable; unset, empty and the word unset differ", () => {
    const values = [null, "", "unset", "UTC", "Asia/Tokyo"];
    expect(new Set([key(), ...values.map((TZ) => key({ env: { TZ } }))]).size).toBe(6);
    expect(key({ env: { TZ: "UTC", LANG: "C" } })).toBe(key({ env: { LANG: "C", TZ: "UTC" } }));
  });

  it("is the same for parameters that are the same value", () => {
    const texts = [
      '{"a":"a","n":1}',
      '{ "n" : 1.0, "a" : "\\u0061" }',
      '{"n":1e0,"a":"a"}',
      '{"n":10e-1,"a":"a"}',
    ];
    expect(new Set(texts.map((text) => key({ params: JSON.parse(text) as JsonObject }))).size).toBe(1);
  });

  it("differs for values that only look alike", () => {
    const texts = [
      '{"n":1}',
      '{"n":"1"}',
      '{"n":null}',
      "{}",
      '{"n":[]}',
      '{"n":{}}',
      '{"n":true}',
      '{"n":[1]}',
    ];
    expect(new Set(texts.map((text) => key({ params: JSON.parse(text) as JsonObject }))).size).toBe(
      texts.length,
    );
  });

  it("leaves the parameters out for INPUT_HASHES, and never mixes the two strategies", () => {
    const strategy = "INPUT_HASHES";
    expect(key({ strategy, params: {} })).toBe(key({ strategy }));
    expect(key({ strategy })).not.toBe(key());
  });

  it("is made of the parameters with their defaults", () => {
    const check = paramsChecker({ properties: { max_chars: { type: "integer", default: 10 } } });
    if ("problem" in check) expect.fail(check.problem);
    expect(key({ params: check({}).params })).toBe(key());
  });
});

/** 200,000 take four seconds; `npm run fuzz` asks for a million. */
const PAIRS = cases(200_000);

describe("generated pairs of requests", () => {
  it("have one key exactly when they are the same request", { timeout: 7_200_000 }, () => {
    const random = generator(20_260_101);
    let same = 0;
    for (let i = 0; i < PAIRS; i++) {
      const one = request(random);
      const other = changed(one, random);
      const equal = JSON.stringify(one) === JSON.stringify(other);
      if (equal) same++;
      if ((idempotencyKey(one) === idempotencyKey(other)) !== equal) {
        expect.fail(`pair ${i}: ${JSON.stringify(one)} and ${JSON.stringify(other)}`);
      }
    }
    expect(same).toBeGreaterThan(PAIRS / 100);
  });
});

/** A small generator of numbers below n, so that a failing pair can be found again by its number. */
function generator(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** Short texts out of the characters of the encoding itself: what could pass for a length, a count or an end. */
const TEXTS = [
  "",
  "1",
  "1:",
  "1:1",
  ":",
  "0:",
  "2:1:",
  "inputs 1",
  "env 0",
  "=",
  "unset",
  "params {}",
  "no params",
  "ä",
];

function request(random: (n: number) => number): KeyParts {
  const text = () => TEXTS[random(TEXTS.length)] ?? "";
  return {
    name: text(),
    version: text(),
    digest: text(),
    inputs: Array.from({ length: random(3) }, () => ({ role: text(), ending: text(), sha256: text() })),
    outputs: {
      artifacts: Array.from({ length: random(2) }, () => ({
        name: text(),
        format: text(),
        pathTemplate: text(),
      })),
      evidences: Array.from({ length: random(2) }, () => ({
        kind: text(),
        fields: Array.from({ length: random(3) }, text),
      })),
    },
    params: random(2) ? {} : { [text()]: random(2) ? text() : random(3) },
    env: random(2) ? {} : { [text()]: random(3) ? text() : null },
    strategy: "INPUT_HASHES_PLUS_PARAMS",
  };
}

/** The nearest neighbours of a request: text moved between two parts, inputs swapped, doubled, split. */
function changed(one: KeyParts, random: (n: number) => number): KeyParts {
  const [first] = one.inputs;
  switch (random(9)) {
    case 0:
      return { ...one, name: one.name + one.version, version: "" };
    case 1:
      return { ...one, version: one.digest, digest: one.version };
    case 2:
      return { ...one, inputs: one.inputs.toReversed() };
    case 3:
      return { ...one, inputs: first ? [...one.inputs, first] : [] };
    case 4:
      return {
        ...one,
        inputs: one.inputs.map(({ role, ending, sha256 }) => ({ role: role + sha256, ending, sha256: "" })),
      };
    case 5:
      return {
        ...one,
        inputs: one.inputs.map(({ role, ending, sha256 }) => ({ role: sha256, ending, sha256: role })),
      };
    case 6:
      return { ...one, name: one.name.slice(1), version: `${one.name.slice(0, 1)}${one.version}` };
    case 7: {
      const { artifacts, evidences } = one.outputs;
      const named = evidences.map(({ kind, fields }) => ({ kind: kind + fields.join(""), fields: [] }));
      return { ...one, outputs: { artifacts, evidences: named } };
    }
    default:
      return { ...one, inputs: first ? one.inputs.slice(1) : [], digest: one.digest + (first?.role ?? "") };
  }
}
