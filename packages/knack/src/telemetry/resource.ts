import { randomUUID } from "node:crypto";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import { version } from "../version.ts";

export type Resource = ReturnType<typeof defaultResource>;

/**
 * Who sends: `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` come first. Nothing of the machine and the command line is
 * added, which can have secrets. The id tells the counters of two processes apart.
 */
function makeResource(): Resource {
  const own = resourceFromAttributes({
    "service.name": "knack",
    "service.version": version,
    "service.instance.id": randomUUID(),
  });
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }));
}

let made: Resource | undefined;

/** The same for traces and metrics. */
export function ownResource(): Resource {
  made ??= makeResource();
  return made;
}
