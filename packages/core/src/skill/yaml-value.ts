/** What a strict YAML document can hold. Maps have no prototype, so a key can only ever be data. */
export type YamlValue = string | number | boolean | null | YamlValue[] | YamlMap;
export interface YamlMap {
  [key: string]: YamlValue;
}

export function emptyMap(): YamlMap {
  return Object.create(null) as YamlMap;
}
