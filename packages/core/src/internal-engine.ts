/**
 * For the engine alone, as `internal.ts`. A file of its own, because the YAML parser behind it would cost a command that
 * only lists skills more than the listing does.
 */
export { homeFolder } from "./config/home.ts";
export { knackHome } from "./config/load.ts";
export { nearest } from "./config/nearest.ts";
export { canonical, isInside } from "./config/project-root.ts";
export type { Diagnostic } from "./diagnostics.ts";
export { systemCode } from "./errors.ts";
export { quote, shorten } from "./quote.ts";
export { type FileFault, readRegularFile } from "./regular-file.ts";
export { splitFrontmatter } from "./skill/frontmatter.ts";
export { parseYaml, type YamlDocument } from "./skill/yaml-profile.ts";
export type { YamlMap, YamlValue } from "./skill/yaml-value.ts";
export { writeWhole } from "./write-whole.ts";
