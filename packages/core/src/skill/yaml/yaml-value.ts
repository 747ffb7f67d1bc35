/** What a strict YAML document can hold. Maps have no prototype, so a key can only ever be data. */
export type YamlValue = string | number | boolean | null | YamlValue[] | YamlMap;
export interface YamlMap {
  [key: string]: YamlValue;
}

export function emptyMap(): YamlMap {
  return Object.create(null) as YamlMap;
}

export function isMap(value: YamlValue | undefined): value is YamlMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a value is, for a message. */
export function kindOf(value: YamlValue): string {
  if (Array.isArray(value)) return "a list";
  if (isMap(value)) return "a mapping";
  return typeof value === "string" && value.trim() === "" ? "nothing" : `a ${typeof value}`;
}
