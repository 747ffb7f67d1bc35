import { isMap } from "@knack/core/internal/engine";
import type { DeclaredInput, TypedSkill } from "../../shared/typed-skill.ts";
import type { Mapping } from "../report.ts";
import { isSkillName } from "./skill-name.ts";

const KINDS = ["FILE", "CONFIRMATION", "ARTIFACT"] as const;

/**
 * The inputs of an entry. An input of a built-in skill inherits what it does not set from the input with the same role, or
 * without a role from the one at the same position: the built-in looks up its inputs by role.
 */
export function readInputs(entry: Mapping, base: TypedSkill | undefined): readonly DeclaredInput[] {
  if (base && !entry.has("inputs")) return base.inputs;
  const roles = new Set<string>();
  let unnamed = 0;
  const inputs = entry
    .mappings("inputs", ["kind", "required", "role", "multiple", "schema"])
    .map((input, place): DeclaredInput => {
      const stated = input.text("role");
      const known =
        stated === undefined ? base?.inputs[place] : base?.inputs.find(({ role }) => role === stated);
      if (!known && !input.has("kind"))
        input.add("E_REG_FIELD", undefined, `An input has no "kind"; use one of ${KINDS.join(", ")}.`);
      const role = stated ?? known?.role ?? (++unnamed === 1 ? "input" : `input_${unnamed}`);
      reportRole(input, role, roles);
      const schema = input.value("schema");
      if (schema !== undefined && !isMap(schema))
        input.add("W_REG_FIELD", "schema", '"schema" of an input should be a mapping with "fields".');
      return {
        role,
        kind: input.oneOf("kind", KINDS) ?? known?.kind ?? "FILE",
        required: input.flag("required", known?.required ?? true),
        many: input.flag("multiple", known?.many ?? false),
        ...(isMap(schema) ? { schema } : {}),
      };
    });
  const missing = base?.inputs.filter(({ role, required }) => required && !roles.has(role)) ?? [];
  if (missing.length > 0) {
    const names = missing.map(({ role }) => `"${role}"`).join(", ");
    entry.add(
      "E_REG_FIELD",
      "inputs",
      `The built-in ${base?.name} needs the input ${names}; add it, or omit "inputs".`,
    );
  }
  return inputs;
}

function reportRole(input: Mapping, role: string, roles: Set<string>): void {
  if (!isSkillName(role)) {
    input.add("E_REG_FIELD", "role", '"role" must be lowercase letters and digits, joined by "_" or "-".');
  } else if (roles.has(role)) {
    input.add("E_REG_FIELD", "role", `Two inputs have the role "${role}"; give each its own.`);
  }
  roles.add(role);
}
