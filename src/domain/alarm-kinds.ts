import type { DecisionKind } from './decision.ts';

/** Rows of the journal that tell of trouble which a person has to know of. */
export const ALARM_KINDS: readonly DecisionKind[] = [
  'halted',
  'reducing',
  'disarmed',
  'unknown',
  'threw',
  'disabled',
  'quarantine',
  'rejected',
];
