import { modeFactsNamed } from '#domain/mode.ts';
import { isoTime } from '#domain/names.ts';
import type { Equity } from './equity/equity.ts';
import { moneyText } from './figures.ts';
import { type Headline, headline, inOrder, note } from './headline.ts';
import type { DecisionsSeen, Halt } from './orders-seen.ts';
import type { FillQuality } from './quality.ts';
import type { RunStrategy } from './record.ts';
import { storyHeadlines } from './story-headlines.ts';

const NO_IMPACT = 'no market impact is assumed';

/** What headlines are made of: the same facts of a backtest in memory and of a run in its journal. */
export interface HeadlineFacts {
  readonly mode: string;
  /** A text: why the share of exact fills is not known. */
  readonly quality: FillQuality | string;
  readonly seen: Pick<DecisionsSeen, 'halts' | 'reducings' | 'stories' | 'orders'>;
  readonly strategies: readonly RunStrategy[];
  /** What it was worth over its time, or why that cannot be said. */
  readonly equity: Pick<Equity, 'ruinedAt' | 'revaluation' | 'currency'> | string;
  /** How often each strategy was asked to decide; absent where that is not known, as of a run in its journal. */
  readonly asked?: Readonly<Record<string, number>>;
  /** What a halt did to the rest of a backtest; undefined for any other run. */
  readonly onHalt?: 'end' | 'continue';
  /** What the maker of the result knows besides: of its data, its settings and what it assumes. */
  readonly more: readonly Headline[];
}

/** What must be read first: mode and worth of the fills, then what went wrong, then what was assumed. The one place that says it. */
export function headlines({ mode, quality, seen, strategies, equity, asked, onHalt, more }: HeadlineFacts): readonly Headline[] {
  const unknown = seen.orders.filter(({ outcome }) => outcome === 'unknown' || outcome === 'open').length;
  const then = onHalt === undefined ? '' : onHalt === 'end' ? '; the backtest ended there' : '; it went on without orders';
  return inOrder([
    headline('FILLS', `${mode.toUpperCase()}  ${fillsText(quality)}`, { level: 'note' }),
    ...strategies.filter(({ enabled }) => enabled).flatMap(({ id }) => storyHeadlines(seen.stories.of(id), asked?.[id])),
    ...seen.halts.map((halt) => headline('HALTED', `HALTED at ${spell(halt)}${then}`, { level: 'stopped', at: halt.from })),
    ...seen.reducings.map((one) => headline('REDUCING', `REDUCING, only exits pass, at ${spell(one)}`, { level: 'stopped', at: one.from })),
    ...(unknown === 0
      ? []
      : [
          headline(
            'UNKNOWN_ORDERS',
            `${unknown} ${unknown === 1 ? 'order' : 'orders'} of unknown outcome: what may have moved is not in the figures`,
          ),
        ]),
    ...(typeof equity === 'string' ? [] : capitalHeadlines(equity)),
    ...(modeFactsNamed(mode)?.isRealMoney ? [] : [note(impactText(quality))]),
    ...more,
  ]);
}

/** Below half a cent nothing was revalued but by rounding. */
const MIN_REVALUATION = 0.005;

function capitalHeadlines({ ruinedAt, revaluation, currency }: Exclude<HeadlineFacts['equity'], string>): readonly Headline[] {
  const ruined = ruinedAt === null ? [] : [headline('RUINED', `the capital was gone at ${isoTime(ruinedAt)}`, { at: ruinedAt })];
  if (Math.abs(revaluation) < MIN_REVALUATION) return ruined;
  const what = `held currencies were revalued by ${moneyText(revaluation)} ${currency}`;
  return [...ruined, headline('REVALUATION', `${what}: no result of trading, and in none of its figures`, { level: 'note' })];
}

function fillsText(quality: FillQuality | string): string {
  if (typeof quality === 'string') return `share of exact fills n/a: ${quality}`;
  const { fills, exact } = quality;
  return fills === 0 ? 'nothing was executed' : `${((exact / fills) * 100).toFixed(1)} % exact fills (${exact} of ${fills})`;
}

function impactText(quality: FillQuality | string): string {
  if (typeof quality === 'string' || quality.crowded === 0) return NO_IMPACT;
  return `${NO_IMPACT}: ${quality.crowded} of ${quality.fills} fills came within one validity of an earlier one in the product`;
}

/** From when to when, why, and by which rule. */
function spell({ from, to, why, reason }: Halt): string {
  const rule = reason === null || reason === 'BY_PERSON' ? '' : ` (${reason})`;
  return `${isoTime(from)}${to === null ? ' to the end' : ` until ${isoTime(to)}`}: ${why}${rule}`;
}
