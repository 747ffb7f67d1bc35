import { type BuiltinRun, type GivenInput, runBuiltin } from "./run-builtin.ts";

/** Runs `template_render` on a template, with or without data. */
export async function render(
  template: string,
  data?: readonly [name: string, text: string],
  params: Record<string, unknown> = {},
): Promise<BuiltinRun> {
  const inputs: GivenInput[] = [["template", "t.liquid", template]];
  if (data) inputs.push(["data", ...data]);
  return runBuiltin("template_render", inputs, params);
}
