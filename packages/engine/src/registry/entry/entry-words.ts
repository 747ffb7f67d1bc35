import type { DeclaredInput, TypedSkill } from "../../shared/typed-skill.ts";

/** The content of an entry, with the keys and the order of the file. */
export interface EntryWords {
  readonly name: string;
  readonly description: string;
  readonly implementation: string;
  readonly inputs: readonly {
    readonly role: string;
    readonly kind: DeclaredInput["kind"];
    readonly required: boolean;
    readonly multiple: boolean;
    readonly schema?: DeclaredInput["schema"];
  }[];
  readonly outputs: {
    readonly artifacts: readonly {
      readonly name: string;
      readonly format: string;
      readonly path_template: string;
    }[];
    readonly evidences: readonly {
      readonly kind: string;
      readonly schema: { readonly fields: readonly string[] };
    }[];
  };
  readonly params: TypedSkill["params"];
  readonly idempotency: TypedSkill["idempotency"];
  /** Only where the entry has some. */
  readonly tags?: readonly string[];
}

/** A typed skill as its entry would declare it, with inherited values and defaults. */
export function entryWords(skill: TypedSkill): EntryWords {
  const { name, description, implementation, inputs, outputs, params, idempotency, tags } = skill;
  return {
    name,
    description,
    implementation,
    inputs: inputs.map(({ role, kind, required, many, schema }) => ({
      role,
      kind,
      required,
      multiple: many,
      ...(schema ? { schema } : {}),
    })),
    outputs: {
      artifacts: outputs.artifacts.map(({ name, format, pathTemplate }) => ({
        name,
        format,
        path_template: pathTemplate,
      })),
      evidences: outputs.evidences.map(({ kind, fields }) => ({ kind, schema: { fields } })),
    },
    params,
    idempotency,
    ...(tags.length > 0 ? { tags } : {}),
  };
}
