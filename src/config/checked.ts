import type { Mode } from '#domain/mode.ts';
import type { FaultList } from './faults.ts';
import type { Resolved } from './resolved.ts';

/** Input of the checks of one configuration. */
export interface Checked {
  readonly resolved: Resolved;
  readonly mode: Mode;
  readonly env: NodeJS.ProcessEnv;
  readonly faults: FaultList;
}
