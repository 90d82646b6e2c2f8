import type { DecisionView } from '../../src/ops/page/past-view.ts';
import type { Tone } from '../parts/badge.tsx';

/** Groups of decisions that a reader may want alone. */
export const GROUPS = ['what matters', 'fills', 'refusals', 'trouble', 'acts', 'all rows'] as const;

export type Group = (typeof GROUPS)[number];

const FILLS = new Set(['accepted', 'resolved']);
const REFUSALS = new Set(['refused', 'rejected', 'expired', 'not_sent', 'lapsed', 'withdrawn', 'leg_failed']);
const TROUBLE = new Set(['unknown', 'threw', 'disabled', 'halted', 'reducing', 'disarmed', 'clock', 'quarantine', 'lag', 'rejected']);
const ACTS = new Set(
  'by_hand by_hand_end paused resumed enabled armed halted disarmed reducing booked action notification drill resolved started stopped'.split(
    ' ',
  ),
);
/** Steps on the way to an outcome, and what Kairos keeps for itself. */
const STEPS = new Set('intent approved sent working worked peak state measured learned scheduled warmed'.split(' '));

/** Whether a decision belongs to a group. */
export function isIn(group: Group, { kind }: Pick<DecisionView, 'kind'>): boolean {
  switch (group) {
    case 'what matters':
      return !STEPS.has(kind);
    case 'fills':
      return FILLS.has(kind);
    case 'refusals':
      return REFUSALS.has(kind);
    case 'trouble':
      return TROUBLE.has(kind);
    case 'acts':
      return ACTS.has(kind);
    case 'all rows':
      return true;
  }
}

/** How a kind of decision is coloured. */
export function toneOf(kind: string): Tone {
  if (kind === 'clock' || kind === 'lag') return 'warn';
  if (FILLS.has(kind) || kind === 'resumed' || kind === 'enabled' || kind === 'armed') return 'good';
  if (TROUBLE.has(kind)) return 'bad';
  return REFUSALS.has(kind) || kind === 'paused' || kind === 'exit' ? 'warn' : 'even';
}
