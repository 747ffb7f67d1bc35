import { describe, expect, it } from "vitest";
import { isBinary } from "./binary.ts";

describe("isBinary", () => {
  it("is a NUL byte or what is no UTF-8; a cut last character is none of these", () => {
    const of = (text: string | number[], cut?: boolean): boolean =>
      isBinary(Buffer.from(text as string), cut);
    expect([of(""), of("日本 😀\r\n\t\u001b"), of("a\0b"), of([0xff, 0xfe, 0x41])]).toEqual([
      false,
      false,
      true,
      true,
    ]);
    const part = [...Buffer.from("a😀")].slice(0, -1);
    expect([of(part), of(part, true), of([...part, 0x41], true), of([0x61, 0xff], true)]).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });
});
