import * as z from "zod";
import { count, skillReport, text, yes } from "../api/schemas.ts";

/** Schemas of the answers that the page Graph shows. */

const { type, alternative, line } = skillReport.shape.edges.element.shape;

const missing = z.strictObject({
  name: text,
  line,
  /** "several": more than one skill has the name, and none is nearer. */
  why: z.enum(["none", "several"]),
});

/** Everything at once and therefore short: nodes are named by their place. */
export const outline = z.strictObject({
  nodes: z.array(z.strictObject({ id: text, name: text })),
  edges: z.array(z.strictObject({ from: count, to: count, type, alternative, cycle: yes })),
  cycles: z.array(z.array(count)),
  missing: z.array(missing.extend({ from: count })),
});

export const part = z.strictObject({
  focus: text.nullable(),
  nodes: z.array(
    z.strictObject({
      id: text,
      name: text,
      /** Steps from the focus. */
      distance: count,
      /** Neighbours that are not in this part. */
      hidden: count,
    }),
  ),
  edges: z.array(
    z.strictObject({
      from: text,
      to: text,
      type,
      alternative,
      cycle: yes,
      line,
      sentence: text,
      rules: z.array(text),
    }),
  ),
  missing: z.array(missing.extend({ from: text })),
  left_out: count,
});
