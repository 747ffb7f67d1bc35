import type { ZodType } from "zod";
import { HttpError } from "../server/http-error.ts";

/** The body as its schema has it; a wrong one is refused with the first thing that is wrong. */
export function readBody<T>(schema: ZodType<T>, body: unknown): T {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue?.path.join(".");
  throw new HttpError(
    400,
    "INVALID_PARAM",
    `${where ? `"${where}": ` : ""}${issue?.message ?? "Wrong body"}.`,
  );
}
