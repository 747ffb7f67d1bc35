/** YAML and front matter, with the lines of what is wrong. Loads the YAML parser. */

export { splitFrontmatter } from "./skill/frontmatter.ts";
export { isMap, type YamlMap, type YamlValue } from "./skill/yaml/simple-yaml.ts";
export { parseYaml, parseYamlFile, type YamlDocument } from "./skill/yaml/yaml-profile.ts";
export {
  type YamlFault,
  type YamlFile,
  YamlMapping,
  type YamlPath,
  yamlPath,
} from "./skill/yaml/yaml-reader.ts";
