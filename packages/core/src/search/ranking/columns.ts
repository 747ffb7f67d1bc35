/** The column of each feature of a group, by name. */
export function columns<Name extends string>(names: readonly Name[]): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name, column) => [name, column])) as Record<Name, number>;
}
