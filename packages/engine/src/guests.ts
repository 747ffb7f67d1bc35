/** For the program alone: it starts a guest while the rest of the engine is being loaded. */
export { PARSING } from "./builtin/parsing.ts";
export { GuestPool } from "./isolate/guest.ts";
