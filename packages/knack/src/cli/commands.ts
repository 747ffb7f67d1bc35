import { CHECK } from "./table/check.ts";
import type { CommandGroup, CommandSpec } from "./table/command-spec.ts";
import { DISPATCH } from "./table/dispatch.ts";
import { ENGINE } from "./table/engine.ts";
import { FIND } from "./table/find.ts";
import { GET } from "./table/get.ts";
import { PIN } from "./table/pin.ts";
import { POLICY } from "./table/policy.ts";
import { SERVE } from "./table/serve.ts";
import { WRITE } from "./table/write.ts";

/** Every command, in the groups and the order of `knack --help`. */
export const GROUPS: readonly CommandGroup[] = [
  FIND,
  SERVE,
  DISPATCH,
  WRITE,
  GET,
  PIN,
  POLICY,
  ENGINE,
  CHECK,
];

export const COMMANDS: readonly CommandSpec[] = GROUPS.flatMap(({ commands }) => commands);
