import type { Route } from "../route.ts";
import { artifactRoutes } from "./artifact-routes.ts";
import { auditRoutes } from "./audit-routes.ts";
import { evidenceRoutes } from "./evidence-routes.ts";
import { planRoutes } from "./plan-routes.ts";
import { queueRoutes } from "./queue-routes.ts";
import { registryRoutes } from "./registry-routes.ts";
import { runRoutes } from "./run-routes.ts";

/** Routes for what runs: typed skills, runs, artifacts, plans and the log of all of it. */
export const workRoutes: readonly Route[] = [
  ...registryRoutes,
  ...runRoutes,
  ...artifactRoutes,
  ...planRoutes,
  ...evidenceRoutes,
  ...queueRoutes,
  ...auditRoutes,
];
