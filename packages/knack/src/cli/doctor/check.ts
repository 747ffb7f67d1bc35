/** One thing that `knack doctor` looked at. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly message: string;
  readonly hint?: string;
}
