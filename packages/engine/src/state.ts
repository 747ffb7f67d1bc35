/** For the program alone: the database of a project without the rest of the engine, for a command that has printed its answer. */
export { EngineStore } from "./state/engine-store.ts";
