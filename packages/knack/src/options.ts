/** Options that every command has. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly cwd?: string;
  readonly color: boolean;
}
