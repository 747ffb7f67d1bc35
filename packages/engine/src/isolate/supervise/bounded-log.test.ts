import fc from "fast-check";
import { expect, it } from "vitest";
import { BoundedLog, lineTeller } from "./bounded-log.ts";

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
