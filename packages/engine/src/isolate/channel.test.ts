import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../core/src/shared/testing/cases.ts";
import {
  BoundedLog,
  encodeFrame,
  encodeRequest,
  type FrameKind,
  FrameReader,
  lineTeller,
  NONCE_BYTES,
} from "./channel.ts";

const NONCE = "0123456789abcdef0123456789abcdef";
const frames = fc.array(
  fc.record({
    kind: fc.constantFrom<FrameKind>("B", "L", "R", "T", "U"),
    payload: fc.string({ unit: "grapheme", maxLength: 300 }),
  }),
  { maxLength: 8 },
);

/** The bytes in pieces of these sizes, repeated. */
function pieces(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    found.push(bytes.subarray(at, at + size));
    at += size;
  }
  return found;
}

describe("frames of the channel", () => {
  it("come back as they were sent, however the bytes are cut", () => {
    fc.assert(
      fc.property(
        frames,
        fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 }),
        (sent, sizes) => {
          const bytes = Buffer.concat(sent.map(({ kind, payload }) => encodeFrame(NONCE, kind, payload)));
          const reader = new FrameReader(NONCE, 10_000);
          expect(pieces(bytes, sizes).flatMap((piece) => reader.push(piece))).toEqual(sent);
          expect(reader.fault).toBeNull();
        },
      ),
      { numRuns: cases(500) },
    );
  });

  it("are never made of bytes that something else wrote", () => {
    fc.assert(
      fc.property(
        frames,
        fc.uint8Array({ minLength: 1, maxLength: 100 }),
        fc.integer({ min: 1, max: 64 }),
        (sent, noise, size) => {
          fc.pre(noise[0] !== NONCE.charCodeAt(0));
          const good = Buffer.concat(sent.map(({ kind, payload }) => encodeFrame(NONCE, kind, payload)));
          const bytes = Buffer.concat([good, noise, encodeFrame(NONCE, "R", "forged")]);
          const reader = new FrameReader(NONCE, 10_000);
          expect(pieces(bytes, [size]).flatMap((piece) => reader.push(piece))).toEqual(sent);
          expect(reader.fault).toBe("foreign");
        },
      ),
      { numRuns: cases(500) },
    );
  });

  it("are refused with another nonce, an unknown kind, or more bytes than are permitted, as soon as that is known", () => {
    const faultOf = (bytes: Buffer): string | null => {
      const reader = new FrameReader(NONCE, 10);
      reader.push(bytes);
      return reader.fault;
    };
    expect(faultOf(encodeFrame("f".repeat(NONCE_BYTES), "R", "1"))).toBe("foreign");
    expect(faultOf(encodeFrame(NONCE, "X" as FrameKind, ""))).toBe("foreign");
    expect(faultOf(encodeFrame(NONCE, "R", "x".repeat(11)).subarray(0, NONCE_BYTES + 5))).toBe("too large");
    expect(faultOf(encodeFrame(NONCE, "R", "x".repeat(10)))).toBeNull();
    expect(faultOf(Buffer.from("0123x"))).toBe("foreign");
  });
});

it("a request is its length and JSON", () => {
  const bytes = encodeRequest({ a: "漢" });
  expect(bytes.readUInt32BE(0)).toBe(bytes.length - 4);
  expect(JSON.parse(bytes.toString("utf8", 4))).toEqual({ a: "漢" });
});

it("a log keeps all that fits, and else the beginning and the end with the number of bytes between", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 40 })), fc.integer({ min: 0, max: 60 }), (chunks, half) => {
      const log = new BoundedLog(half * 2);
      const all = Buffer.from(chunks.join(""));
      for (const chunk of chunks) log.push(Buffer.from(chunk));
      const left = all.length - 2 * half;
      const whole = `${all.subarray(0, half)}\n… ${left} bytes omitted …\n${all.subarray(all.length - half)}`;
      expect(log.text()).toBe(left <= 0 ? all.toString() : whole);
    }),
  );
});

it("reports complete lines, including the last one, until there are too many", () => {
  const lines: string[] = [];
  const tell = lineTeller(12, (line) => lines.push(line));
  const bytes = Buffer.from("漢字\r\nab\nc");
  for (const byte of bytes) tell(Buffer.from([byte]));
  tell(null);
  expect(lines).toEqual(["漢字", "ab", "c"]);
  tell(Buffer.from("more than twelve\nand more\n"));
  expect(lines.slice(3)).toEqual(["… the rest of the output is omitted …"]);
});
