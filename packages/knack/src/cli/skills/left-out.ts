import type { Catalog, Entry } from "@knack/core";
import { isInside } from "@knack/core/internal";
import { count, pluralize } from "../../terminal/count.ts";

interface LeftOut {
  /** Only this scope was asked for. */
  readonly scope: string | undefined;
  /** Valid skills that were not listed because they cannot be used now. */
  readonly inactive: readonly Entry[];
  readonly isTrusted: boolean;
}

/** What is there and was not listed, or not for everybody: a line each, with the command that says more. */
export function describeLeftOut(catalog: Catalog, { scope, inactive, isTrusted }: LeftOut): string[] {
  return [
    ...describeErrors(catalog, scope),
    ...describeUnverified(inactive),
    ...describeInactive(inactive),
    ...(isTrusted ? [] : describeUntrusted(catalog, scope)),
  ];
}

function describeErrors({ errors, files, roots }: Catalog, scope: string | undefined): string[] {
  const isOfScope = (path: string): boolean =>
    scope === undefined || roots.some((root) => root.scope === scope && isInside(path, root.real));
  const paths = new Set(errors.filter(({ code }) => code !== "E_INELIGIBLE").map(({ path }) => path));
  const wrong = [...paths].filter(isOfScope);
  const known = new Set(files);
  const skills = wrong.filter((path) => known.has(path)).length;
  const others = wrong.length - skills;
  const parts = [
    ...(skills > 0 ? [`${pluralize(skills, "skill")} left out`] : []),
    ...(others > 0 ? [`${pluralize(others, "path")} not searched`] : []),
  ];
  return parts.length === 0 ? [] : [`${parts.join(", ")}. See why: knack validate`];
}

/** Under `skills.locked`: those that nobody gets until the user has looked at them. */
function describeUnverified(inactive: readonly Entry[]): string[] {
  const { length } = inactive.filter(({ status }) => status === "unverified");
  if (length === 0) return [];
  return [`${pluralize(length, "skill")} changed or not locked. See which: knack verify --strict`];
}

function describeInactive(entries: readonly Entry[]): string[] {
  const inactive = entries.filter(({ status }) => status !== "unverified");
  const parts = (["disabled", "ineligible", "shadowed"] as const).flatMap((status) => {
    const { length } = inactive.filter((entry) => entry.status === status);
    return length > 0 ? [`${count(length)} ${status}`] : [];
  });
  if (parts.length === 0) return [];
  return [`${pluralize(inactive.length, "skill")} inactive: ${parts.join(", ")}. See why: knack list --all`];
}

function describeUntrusted({ skills }: Catalog, scope: string | undefined): string[] {
  const waiting = skills.filter((skill) => skill.scope === "repo").length;
  if (waiting === 0 || (scope !== undefined && scope !== "repo")) return [];
  const are = waiting === 1 ? "is" : "are";
  return [
    `${pluralize(waiting, "skill")} of this project ${are} hidden from agents until you trust it: knack trust`,
  ];
}
