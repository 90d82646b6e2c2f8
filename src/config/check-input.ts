import type { Mode } from '#domain/mode.ts';
import type { FaultList } from './faults.ts';
import type { ResolvedSettings } from './resolved.ts';

/** Input of the checks of one configuration. */
export interface CheckInput {
  readonly resolved: ResolvedSettings;
  readonly mode: Mode;
  readonly env: NodeJS.ProcessEnv;
  readonly faults: FaultList;
  /** Told of what passes and should be looked at all the same. */
  readonly tell: (note: string) => void;
}
