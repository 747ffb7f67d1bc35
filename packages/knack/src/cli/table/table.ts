import type { GlobalOptions, ReadValue } from "../../options.ts";
import { DISPATCH, SERVE } from "./agents.ts";
import type { CommandGroup, CommandSpec, OptionSpec } from "./command-spec.ts";
import { ENGINE } from "./engine.ts";
import { CHECK, POLICY } from "./policy.ts";
import { FIND, GET, PIN, WRITE } from "./skills.ts";

const TABLE = [FIND, SERVE, DISPATCH, WRITE, GET, PIN, POLICY, ENGINE, CHECK] as const;

export const GROUPS: readonly CommandGroup[] = TABLE;

export const COMMANDS: readonly CommandSpec[] = GROUPS.flatMap(({ commands }) => commands);

type Row = (typeof TABLE)[number]["commands"][number];
type Inner<R> = R extends { readonly commands: readonly (infer I)[] } ? I : never;
type Named<R, N> = Extract<R, { readonly name: N }>;
type RowOf<N> = N extends `${infer P} ${infer I}` ? Named<Inner<Named<Row, P>>, I> : Named<Row, N>;

/** The commands that do something: `runs`, `runs show`. */
export type CommandName = NameOf<Row>;
type NameOf<R> = R extends { readonly name: infer N extends string }
  ? R extends { readonly commands: readonly { readonly name: infer I extends string }[] }
    ? `${N} ${I}` | (R extends { readonly options: unknown } ? N : never)
    : N
  : never;

/** What commander gives a command as the values of its options. */
export type CommandOptions<N extends CommandName> = GlobalOptions & ValuesOf<OptionIn<RowOf<N>>>;
type OptionIn<R> = R extends { readonly options: readonly (infer O extends OptionSpec)[] } ? O : never;
type ValuesOf<O extends OptionSpec> = {
  readonly [F in Exclude<O, Always>["flags"] as KeyOf<F>]?: ValueOf<Extract<O, { flags: F }>>;
} & { readonly [F in Extract<O, Always>["flags"] as KeyOf<F>]: ValueOf<Extract<O, { flags: F }>> };
type Always = { readonly isRequired: true } | { readonly default: string };
type ValueOf<O> = O extends { readonly isList: true }
  ? readonly string[]
  : O extends { readonly parse: ReadValue<infer T> }
    ? T
    : O extends { readonly choices: readonly (infer C)[] }
      ? C
      : O extends { readonly flags: `${string}<${string}` }
        ? string
        : O extends { readonly flags: `${string}[${string}` }
          ? string | true
          : boolean;
/** `--min-hit1 <share>` is `minHit1`, and `--no-wait` is a `false` for `wait`. */
type KeyOf<F extends string> = F extends `${string}--no-${infer W}`
  ? Camel<W>
  : F extends `${string}--${infer W} ${string}`
    ? Camel<W>
    : F extends `${string}--${infer W}`
      ? Camel<W>
      : never;
type Camel<W extends string> = W extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : W;

/** The function that does what a command says: its arguments, then its options. */
export type Action<N extends CommandName> = (
  ...given: [...ArgumentsOf<RowOf<N>>, CommandOptions<N>]
) => Promise<void> | void;
type ArgumentsOf<R> = R extends {
  readonly arguments: infer A extends readonly (readonly [string, ...unknown[]])[];
}
  ? { [K in keyof A]: ArgumentOf<A[K][0]> }
  : [];
type ArgumentOf<W> = W extends `${string}...${string}`
  ? readonly string[]
  : W extends `[${string}`
    ? string | undefined
    : string;
