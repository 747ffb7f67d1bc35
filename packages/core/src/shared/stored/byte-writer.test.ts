import fc from "fast-check";
import { expect, it } from "vitest";
import { ByteReader, ByteWriter } from "./byte-writer.ts";

it("any numbers below 2^32 are read as they were written", () => {
  const number = fc.oneof(fc.nat(300), fc.integer({ min: 0, max: 0xffff_ffff }));
  fc.assert(
    fc.property(fc.array(number), (numbers) => {
      const writer = new ByteWriter(1);
      for (const value of numbers) writer.varint(value);
      const reader = new ByteReader(writer.written());
      expect(numbers.map(() => reader.varint())).toEqual(numbers);
      expect(reader.at).toBe(writer.length);
    }),
  );
});
