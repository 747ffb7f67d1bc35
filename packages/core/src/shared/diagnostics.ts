export type Validation = "strict" | "lenient";
type Severity = "error" | "warning";

/** An `error` leaves the skill out, a `warning` loads it with a remark. The code is the name behind `E_` or `W_`. */
export const SEVERITY = {
  // The file itself
  TOO_LARGE: { strict: "error", lenient: "error" },
  NOT_REGULAR: { strict: "error", lenient: "error" },
  UNREADABLE: { strict: "error", lenient: "error" },
  ENCODING: { strict: "error", lenient: "error" },
  /** Only `validate --fix` reports it. */
  BOM: { strict: "warning", lenient: "warning" },
  FILE_NAME: { strict: "warning", lenient: "warning" },
  SKILL_MISSING: { strict: "error", lenient: "error" },
  HARDLINK: { strict: "warning", lenient: "warning" },
  AGENT_FILE: { strict: "warning", lenient: "warning" },
  FILES_LIMIT: { strict: "warning", lenient: "warning" },
  // Frontmatter and YAML
  FM_MISSING: { strict: "error", lenient: "error" },
  FM_UNTERMINATED: { strict: "error", lenient: "error" },
  FM_LANG: { strict: "error", lenient: "error" },
  FM_LINE_ENDS: { strict: "error", lenient: "error" },
  FM_LIMIT: { strict: "error", lenient: "error" },
  YAML_SYNTAX: { strict: "error", lenient: "error" },
  YAML_ALIAS: { strict: "error", lenient: "error" },
  YAML_TAG: { strict: "error", lenient: "error" },
  YAML_MERGE: { strict: "error", lenient: "error" },
  YAML_KEY: { strict: "error", lenient: "error" },
  YAML_DUPLICATE: { strict: "error", lenient: "error" },
  YAML_DEPTH: { strict: "error", lenient: "error" },
  YAML_COMMENT: { strict: "warning", lenient: "warning" },
  YAML_REPAIRED: { strict: "warning", lenient: "warning" },
  UNICODE: { strict: "error", lenient: "error" },
  // Fields
  NAME_MISSING: { strict: "error", lenient: "warning" },
  NAME_INVALID: { strict: "error", lenient: "warning" },
  NAME_UNSAFE: { strict: "error", lenient: "warning" },
  NAME_TOO_LONG: { strict: "error", lenient: "warning" },
  NAME_DIR_MISMATCH: { strict: "error", lenient: "warning" },
  DESC_INVALID: { strict: "error", lenient: "error" },
  DESC_TOO_LONG: { strict: "error", lenient: "warning" },
  COMPATIBILITY_TOO_LONG: { strict: "error", lenient: "warning" },
  CONTROL_CHAR: { strict: "error", lenient: "warning" },
  HIDDEN_TEXT: { strict: "error", lenient: "warning" },
  HIDDEN_CHAR: { strict: "warning", lenient: "warning" },
  CONFUSABLE: { strict: "warning", lenient: "warning" },
  UNEDITED: { strict: "warning", lenient: "warning" },
  FIELD_INVALID: { strict: "warning", lenient: "warning" },
  INVOCATION_MODE_INVALID: { strict: "error", lenient: "warning" },
  ELIGIBILITY_INVALID: { strict: "error", lenient: "warning" },
  COMMAND_INVALID: { strict: "warning", lenient: "warning" },
  COMMAND_RESERVED: { strict: "error", lenient: "error" },
  COMMAND_DUPLICATE: { strict: "warning", lenient: "warning" },
  COMMAND_TOOL_MISSING: { strict: "error", lenient: "error" },
  COMMAND_TOOL_UNKNOWN: { strict: "error", lenient: "error" },
  // The catalog
  INELIGIBLE: { strict: "error", lenient: "error" },
  SHADOWED: { strict: "warning", lenient: "warning" },
  ROOT_MISSING: { strict: "error", lenient: "error" },
  SYMLINK: { strict: "warning", lenient: "warning" },
  PATH_ESCAPE: { strict: "error", lenient: "error" },
  LINK_BROKEN: { strict: "error", lenient: "error" },
  LOOP: { strict: "error", lenient: "error" },
  INDEX: { strict: "warning", lenient: "warning" },
} as const satisfies Record<string, Record<Validation, Severity>>;

export type FaultName = keyof typeof SEVERITY;

/** Before a validation has decided what it means. */
export interface Fault {
  readonly fault: FaultName;
  readonly message: string;
  readonly line?: number;
}

/** Without a line where none is known. */
export function faultAt(fault: FaultName, message: string, line: number | undefined): Fault {
  return line === undefined ? { fault, message } : { fault, message, line };
}

export interface PlacedFault {
  readonly path: string;
  readonly fault: Fault;
}

/** An entry of a catalog's `errors[]` or `warnings[]`. */
export interface Diagnostic {
  readonly path: string;
  readonly code: string;
  readonly message: string;
  readonly line?: number;
}

export function isError(fault: Fault, validation: Validation): boolean {
  return SEVERITY[fault.fault][validation] === "error";
}

export function toDiagnostic(fault: Fault, path: string, validation: Validation): Diagnostic {
  const code = `${isError(fault, validation) ? "E" : "W"}_${fault.fault}`;
  const { message, line } = fault;
  return line === undefined ? { path, code, message } : { path, code, message, line };
}
