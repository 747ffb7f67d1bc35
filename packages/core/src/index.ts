/** The public API of @knack/core: what is exported here is the contract, everything else may change. */
export type { GivenRoot, Root } from "./catalog/roots.ts";
export type { Entry, Status } from "./catalog/snapshot.ts";
export type { WatchOptions } from "./catalog/watch.ts";
export type { Config } from "./config/config.ts";
export type { Diagnostic, Validation } from "./diagnostics.ts";
export { SkillError, type SkillErrorCode } from "./errors.ts";
export type { Reference } from "./find/resolve.ts";
export { type Catalog, type OpenCatalogOptions, openCatalog } from "./open-catalog.ts";
export type { DialectName } from "./skill/dialects.ts";
export {
  type SkillCatalog,
  type SkillFacts,
  type SkillLoadError,
  type SkillMetadata,
  type SkillScope,
  skillCatalogSchema,
  skillLoadErrorSchema,
  skillMetadataSchema,
  skillScopeSchema,
} from "./skill/schema.ts";
export { findProject } from "./config/project-root.ts";
export { isTrusted, setTrusted } from "./policy/trust.ts";
export { typedSkillNames } from "./catalog/typed-skill-names.ts";
export { readSkill } from "./catalog/read-skill.ts";
export { type FileListing, listFiles } from "./context/files.ts";
export { toDiagnostic } from "./diagnostics.ts";
export { isValidName } from "./skill/name.ts";
export { cacheFolder } from "./catalog/cache-folder.ts";
export { isInside } from "./config/project-root.ts";
export { loadConfig } from "./config/load.ts";
