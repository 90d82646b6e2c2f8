import type { FaultList } from './faults.ts';
import type { Resolved } from './resolved.ts';

/** What the checks of one configuration look at. */
export interface Checked {
  readonly resolved: Resolved;
  readonly loopback: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly faults: FaultList;
}
