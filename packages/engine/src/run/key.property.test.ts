import { describe, expect, it } from "vitest";
import { cases } from "../../../core/src/shared/testing/cases.ts";
import { idempotencyKey, type KeyParts } from "./prepare-run.ts";

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
