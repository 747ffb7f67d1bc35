import type { FrontMatter } from "../markdown/front-matter.ts";
import type { Finding } from "./finding.ts";

/** The fields that must be there and say something. */
export function checkFields(front: FrontMatter, fields: readonly string[]): Finding[] {
  return fields.flatMap((field): Finding[] => {
    if (!Object.hasOwn(front.data, field)) {
      const hint = front.source === null ? "; the document has no front matter" : "";
      return [{ rule: "field_missing", line: 1, message: `The front matter needs "${field}"${hint}.` }];
    }
    if (!isEmpty(front.data[field])) return [];
    return [{ rule: "field_empty", line: front.lineOf([field]), message: `"${field}" is empty.` }];
  });
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === "string") return value.trim() === "";
  return typeof value === "object" && Object.keys(value).length === 0;
}

export async function checkSchema(front: FrontMatter, schema: object): Promise<Finding[]> {
  const { checkBySchema } = await import("./front-matter-schema.ts");
  return checkBySchema(schema, front.data).map(({ path, message }) => ({
    rule: "schema",
    line: path.length === 0 ? 1 : front.lineOf(path),
    message,
  }));
}
