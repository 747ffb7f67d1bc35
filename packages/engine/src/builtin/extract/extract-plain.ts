import { open } from "node:fs/promises";
import { textPieces } from "../formats/text-encoding.ts";
import type { Extract } from "./extract.ts";

/** Text and Markdown, as they are. */
export const extractPlain: Extract = async (input, out, { signal }) => {
  await using file = await open(input.path);
  for await (const piece of textPieces(file, signal)) {
    await out.add(piece);
    if (out.cut) return;
  }
};
