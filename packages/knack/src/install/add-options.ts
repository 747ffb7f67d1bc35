import type { GlobalOptions } from "../options.ts";

export interface AddOptions extends GlobalOptions {
  readonly skill?: readonly string[];
  readonly list?: boolean;
  readonly user?: boolean;
  readonly for?: readonly string[];
  readonly copy?: boolean;
  readonly link?: boolean;
  readonly yes?: boolean;
  readonly allowFindings?: boolean;
  readonly force?: boolean;
  readonly dryRun?: boolean;
}
