import type { DecisionKind } from '#domain/decision.ts';
import { STATE_TONES, type StateTone } from '#domain/state-tone.ts';
import type { DecisionView } from '#server/page/past-view.ts';

/** Groups of decisions by which a reader can filter. */
export const GROUPS = ['what matters', 'fills', 'refusals', 'trouble', 'acts', 'all rows'] as const;

export type Group = (typeof GROUPS)[number];

/** The groups of each kind of decision. A `step` is a decision on the way to an outcome, or a record for Kairos itself. */
type Topic = 'step' | 'fill' | 'refusal' | 'trouble' | 'act' | 'note';

const TOPICS: Readonly<Record<DecisionKind, Topic | readonly Topic[]>> = {
  intent: 'step',
  approved: 'step',
  refused: 'refusal',
  hold: 'note',
  sent: 'step',
  expired: 'refusal',
  not_sent: 'refusal',
  accepted: 'fill',
  rejected: ['refusal', 'trouble'],
  unknown: 'trouble',
  working: 'step',
  worked: 'step',
  peak: 'step',
  lapsed: 'refusal',
  withdrawn: 'refusal',
  leg_failed: 'refusal',
  exit: 'note',
  dust: 'note',
  state: 'step',
  resolved: ['fill', 'act'],
  action: 'act',
  notification: 'act',
  signal: 'step',
  scheduled: 'step',
  booked: 'act',
  paused: 'act',
  resumed: 'act',
  halted: ['trouble', 'act'],
  drill: 'act',
  by_hand: 'act',
  by_hand_end: 'act',
  reducing: ['trouble', 'act'],
  disarmed: ['trouble', 'act'],
  armed: 'act',
  measured: 'step',
  threw: 'trouble',
  disabled: 'trouble',
  enabled: 'act',
  started: 'act',
  stopped: 'act',
  clock: 'trouble',
  warmed: 'step',
  learned: 'step',
  quarantine: 'trouble',
  blocked: 'note',
  lag: 'trouble',
};

const kindsOf = (topic: Topic): ReadonlySet<string> =>
  new Set(Object.entries(TOPICS).flatMap(([kind, topics]) => ([topics].flat().includes(topic) ? [kind] : [])));

const FILLS = kindsOf('fill');
const REFUSALS = kindsOf('refusal');
const TROUBLE = kindsOf('trouble');

/** The kinds of a group: a list, or all except a list, so that kinds of a later version are shown. */
const KINDS: Readonly<Record<Group, { readonly kind: ReadonlySet<string> } | { readonly without: ReadonlySet<string> }>> = {
  'what matters': { without: kindsOf('step') },
  fills: { kind: FILLS },
  refusals: { kind: REFUSALS },
  trouble: { kind: TROUBLE },
  acts: { kind: kindsOf('act') },
  'all rows': { without: new Set() },
};

/** True if a decision belongs to the group. */
export function isIn(group: Group, { kind }: Pick<DecisionView, 'kind'>): boolean {
  const kinds = KINDS[group];
  return 'kind' in kinds ? kinds.kind.has(kind) : !kinds.without.has(kind);
}

/** The group as query parameters, `&kind=..` or `&without=..`. */
export const groupQuery = (group: Group): string =>
  Object.entries(KINDS[group])
    .filter(([, kinds]) => kinds.size > 0)
    .map(([name, kinds]) => `&${name}=${[...kinds].join(',')}`)
    .join('');

type KindWords = Pick<DecisionView, 'kind' | 'words'>;

/** The state that a row tells of, as in `NO_QUOTES for 30 s: ..` and `RUNNING again after 2 min`, or its kind. */
const nameOf = ({ kind, words }: KindWords): string => (kind === 'blocked' && /^[A-Z_]+/.exec(words)?.[0]) || kind;

/** What a decision is called. */
export const labelOf = (row: KindWords): string => nameOf(row).toLowerCase().replaceAll('_', ' ');

/** The colour of a decision: that of the state which it tells of or begins, where it does. */
export function toneOf(row: KindWords): StateTone {
  const { kind } = row;
  const ofState = STATE_TONES[nameOf(row).toUpperCase()];
  if (ofState) return ofState;
  if (/^(clock|lag|exit)$/.test(kind)) return 'warn';
  if (FILLS.has(kind) || /^(resumed|enabled|armed)$/.test(kind)) return 'good';
  return TROUBLE.has(kind) ? 'bad' : REFUSALS.has(kind) ? 'warn' : 'even';
}
