import { graphRoutes } from "../graph/graph-routes.ts";
import { accessRoutes } from "../home/access-routes.ts";
import { connectRoutes } from "../home/connect-routes.ts";
import { homeRoutes } from "../home/home-routes.ts";
import { pageRoutes } from "../page/page-routes.ts";
import { skillPageRoutes } from "../skills/skill-page-routes.ts";
import { catalogRoutes } from "./catalog-routes.ts";
import { changeRoutes } from "./change-routes.ts";
import { metricsRoute } from "./metrics-route.ts";
import { describeApi } from "./openapi.ts";
import { findRoute, json, type Route } from "./route.ts";
import { anything } from "./schemas.ts";
import { skillRoutes } from "./skill-routes.ts";
import { workRoutes } from "./work/work-routes.ts";

const apiRoutes: readonly Route[] = [
  ...catalogRoutes,
  ...skillRoutes,
  ...workRoutes,
  ...changeRoutes,
  ...homeRoutes,
  ...skillPageRoutes,
  ...connectRoutes,
  ...graphRoutes,
  metricsRoute,
  ...accessRoutes,
];

const descriptionRoute: Route = {
  method: "GET",
  path: "/api/openapi.json",
  summary: "This description (OpenAPI 3.1).",
  answer: anything,
  handle: (_asked, { origin }) => json(describeApi(describedRoutes, origin)),
};

/** What the OpenAPI document describes: the API, and the page by its first address alone. */
export const describedRoutes: readonly Route[] = [
  ...pageRoutes.filter(({ path }) => path === "/"),
  ...apiRoutes,
  descriptionRoute,
];

/** All routes except `/mcp`. */
export const routes: readonly Route[] = [...pageRoutes, ...apiRoutes, descriptionRoute];

/** Whether a path, as it was sent, is one of the page, which needs no token. */
export function isPagePath(path: string): boolean {
  const segments = path === "/" ? [] : path.slice(1).split("/");
  return path.startsWith("/") && findRoute(pageRoutes, "GET", segments).route !== undefined;
}
