import type * as z from "zod";
import { accessRoutes } from "../routes/access.ts";
import { auditRoutes } from "../routes/audit.ts";
import { catalogRoutes } from "../routes/catalog.ts";
import { connectRoutes } from "../routes/connect.ts";
import { graphRoutes } from "../routes/graph.ts";
import { homeRoutes } from "../routes/home.ts";
import { mcpRoutes } from "../routes/mcp.ts";
import { pageRoutes } from "../routes/page.ts";
import { planRoutes } from "../routes/plans.ts";
import { policyRoutes } from "../routes/policy.ts";
import { queueRoutes } from "../routes/queue.ts";
import { registryRoutes } from "../routes/registry.ts";
import { reviewRoutes } from "../routes/review.ts";
import { runRoutes } from "../routes/runs.ts";
import { skillRoutes } from "../routes/skill.ts";
import { describeApi } from "./openapi.ts";
import { type PathParams, type Route, route } from "./route.ts";
import { anything } from "./schemas.ts";

const apiRoutes = [
  ...catalogRoutes,
  ...skillRoutes,
  ...reviewRoutes,
  ...registryRoutes,
  ...runRoutes,
  ...planRoutes,
  ...queueRoutes,
  ...auditRoutes,
  ...policyRoutes,
  ...homeRoutes,
  ...connectRoutes,
  ...graphRoutes,
  ...accessRoutes,
];

const descriptionRoute: Route = route("GET /api/openapi.json", "reader", {
  summary: "This description (OpenAPI 3.1).",
  answer: anything,
  handle: (_asked, { origin }) => describeApi(describedRoutes, origin),
});

/** What the OpenAPI document describes: the API, and the page by its first address alone. */
export const describedRoutes: readonly Route[] = [
  ...pageRoutes.filter(({ path }) => path === "/"),
  ...apiRoutes,
  descriptionRoute,
];

export const routes: readonly Route[] = [...pageRoutes, ...apiRoutes, descriptionRoute, ...mcpRoutes];

/** What a client knows of the API at compile time: `ApiTypes["GET /api/me"]["answer"]`. */
type Row = (typeof apiRoutes)[number];
export type ApiTypes = { readonly [R in Row as R["name"]]: TypesOf<R> };
type TypesOf<R> =
  R extends Route<infer N, infer Q, infer B, infer A>
    ? {
        readonly path: PathParams<N>;
        readonly query: { readonly [K in keyof Q]?: z.input<Q[K]> };
        readonly body: z.input<B>;
        readonly answer: z.output<A>;
      }
    : never;
