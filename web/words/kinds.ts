import type { DecisionView } from '#server/page/past-view.ts';
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

/** What belongs to a group: some kinds, or all but some. */
const KINDS: Readonly<Record<Group, { readonly kind: ReadonlySet<string> } | { readonly without: ReadonlySet<string> }>> = {
  'what matters': { without: STEPS },
  fills: { kind: FILLS },
  refusals: { kind: REFUSALS },
  trouble: { kind: TROUBLE },
  acts: { kind: ACTS },
  'all rows': { without: new Set() },
};

/** Whether a decision belongs to a group. */
export function isIn(group: Group, { kind }: Pick<DecisionView, 'kind'>): boolean {
  const kinds = KINDS[group];
  return 'kind' in kinds ? kinds.kind.has(kind) : !kinds.without.has(kind);
}

/** The group as the journal is asked for it, `&kind=..` or `&without=..`. */
export const groupQuery = (group: Group): string =>
  Object.entries(KINDS[group])
    .filter(([, kinds]) => kinds.size > 0)
    .map(([name, kinds]) => `&${name}=${[...kinds].join(',')}`)
    .join('');

/** How a kind of decision is coloured. */
export function toneOf(kind: string): Tone {
  if (kind === 'clock' || kind === 'lag') return 'warn';
  if (FILLS.has(kind) || kind === 'resumed' || kind === 'enabled' || kind === 'armed') return 'good';
  if (TROUBLE.has(kind)) return 'bad';
  return REFUSALS.has(kind) || kind === 'paused' || kind === 'exit' ? 'warn' : 'even';
}
