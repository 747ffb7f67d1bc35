import { catalogRoutes } from "./catalog-routes.ts";
import { changeRoutes } from "./change-routes.ts";
import { describeApi } from "./openapi.ts";
import { pageRoutes } from "./page.ts";
import { json, type Route } from "./route.ts";
import { anything } from "./schemas.ts";
import { skillRoutes } from "./skill-routes.ts";
import { workRoutes } from "./work/work-routes.ts";

const described: readonly Route[] = [
  ...pageRoutes,
  ...catalogRoutes,
  ...skillRoutes,
  ...workRoutes,
  ...changeRoutes,
];

const descriptionRoute: Route = {
  method: "GET",
  path: "/api/openapi.json",
  summary: "This description (OpenAPI 3.1).",
  answer: anything,
  handle: (_asked, { origin }) => json(describeApi(routes, origin)),
};

/** All routes except `/mcp`. */
export const routes: readonly Route[] = [...described, descriptionRoute];

/** The routes without a token: the page's static files. */
export const openPaths: ReadonlySet<string> = new Set(pageRoutes.map(({ path }) => path));
