/** The parts of a catalog that a program needs besides `openCatalog`: roots, names, typed skills, drawing. */

export { type ClientFolder, inHome } from "./catalog/clients.ts";
export { isAsSeen, type SeenInputs } from "./catalog/inputs.ts";
export { listClientFolders, type RootPlace } from "./catalog/scan/roots.ts";
export { mayHoldSkills } from "./catalog/scan/walk.ts";
export { cacheFolder, isSkillFolder } from "./catalog/tree.ts";
export { typedSkillNames } from "./catalog/typed-skill-names.ts";
export { drawGraph } from "./graph/load-graph.ts";
export { fullPath, typedNameOf } from "./resolve/resolve.ts";
export { isValidName, type Named, refersTo } from "./skill/name.ts";
