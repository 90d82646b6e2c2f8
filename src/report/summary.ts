import type { Millis } from '#domain/names.ts';
import { DAY_MS } from '#domain/utc-day.ts';
import type { Equity } from './equity/equity-value.ts';
import { valueText } from './figures.ts';
import { ENOUGH_VALUES } from './metrics/bootstrap.ts';
import { ENOUGH_DAYS, type Significance } from './metrics/significance.ts';
import type { DecisionSummary } from './order-history.ts';
import type { RunRecord, RunStrategy } from './record.ts';
import { failedWords, haltedWords } from './stopped-words.ts';
import type { OpenPosition, ReportedTrade } from './trades.ts';
import { untradedWords } from './untraded.ts';

/** What the one sentence of a run is made of. */
interface SummaryFacts {
  readonly record: Pick<RunRecord, 'isRunning' | 'fills' | 'strategies'>;
  readonly seen: Pick<DecisionSummary, 'stories' | 'halts' | 'reducings'>;
  readonly trades: readonly Pick<ReportedTrade, 'strategy'>[];
  readonly open: readonly OpenPosition[];
  readonly equity: Equity | string;
  readonly held: Equity | string;
  readonly heldAtSize: Equity | string;
  /** Length of the run without times that have no quotes. */
  readonly tradedMs: Millis;
  readonly wholeDays: number;
  readonly verdict: Significance;
  /** Results among which this one was chosen, itself included. */
  readonly trials: number;
}

/** Round trips below which a result says nothing: as for the paths that are drawn anew from them. */
export const ENOUGH_TRADES = ENOUGH_VALUES;

/**
 * What came of a run in one sentence: first that a strategy failed or that trading was halted, where it was; then profit after fees, in how many
 * trades, over which time, and what holding the same would have made.
 */
export function summaryOf(facts: SummaryFacts): string {
  const { record, seen } = facts;
  const failed = failedWords(record.strategies, seen.stories);
  if (record.fills.length === 0) return `Nothing was traded: ${whyNothing(facts, failed)}`;
  const halted = haltedWords(seen);
  return capital([failed, halted, resultOf(facts, (failed ?? halted) !== undefined)].filter((part) => part !== undefined).join('; '));
}

/** `isStopped`: it begins with why it is not held against luck. */
function resultOf(facts: SummaryFacts, isStopped: boolean): string {
  const { record, trades, open, equity, tradedMs } = facts;
  const count = trades.length;
  const made = `${counted(count, 'trade')} over ${spanWords(tradedMs)}${record.isRunning ? ' so far' : ''}`;
  if (typeof equity === 'string') return `its result is not known: ${equity}; ${made}`;
  const charged = record.fills.every(({ fill }) => Number(fill.fee) === 0) ? 'without fees' : 'after fees';
  const result = `${equity.ruinedAt === null ? changeWords(equity.totalReturn) : 'lost all its capital'} ${charged}`;
  const held = open.length === 0 ? '' : `, ${counted(open.length, 'position')} still open`;
  const told = `${result} in ${made}${held}${holding(facts)}`;
  return count < ENOUGH_TRADES ? `too few trades to judge: ${told}` : `${told}${isStopped ? '' : luck(facts)}`;
}

/** Holding is told of the size that was traded, like for like; of all capital beside it, where that is another result. */
function holding({ held, heldAtSize }: SummaryFacts): string {
  if (typeof held === 'string' || typeof heldAtSize === 'string') return '';
  const [all, same] = [held, heldAtSize].map(({ totalReturn }) => changeWords(totalReturn));
  return `; buying and holding as much as its largest position would have ${same}${all === same ? '' : `, all capital ${all}`}`;
}

/** A result is held against luck as soon as that can be done, a loss in the words of its verdict. */
function luck({ equity, wholeDays, verdict, trials }: SummaryFacts): string {
  if (typeof equity === 'string' || wholeDays < ENOUGH_DAYS) return '';
  if (trials > 1 || equity.totalReturn <= 0) return `; ${verdict.text}`;
  return verdict.significant ? '; more than luck' : '; luck may explain it';
}

/** `made 1.10 %`, `lost 3.20 %`. */
export function changeWords(share: number): string {
  if (share === 0) return 'made nothing';
  return `${share > 0 ? 'made' : 'lost'} ${valueText({ value: Math.abs(share), unit: 'share' }, '').replace('<', 'under ')}`;
}

function whyNothing({ record, seen }: SummaryFacts, failed: string | undefined): string {
  const told = record.strategies.filter(({ enabled }) => enabled).map(({ id }) => seen.stories.of(id));
  if (told.length === 0) return 'no strategy was enabled';
  const isRefused = told.some(({ refused, missed }) => refused.total > 0 || missed.size > 0);
  if (failed !== undefined && !isRefused) return failed;
  const words = untradedWords(told, { who: `strategy ${told[0]?.strategy}` });
  return failed === undefined ? words : `${words}; ${failed}`;
}

/** A sentence with a capital letter. */
export const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** `1 trade`, `41 trades`. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const UNITS = [
  [DAY_MS, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
] as const;

/** A length of time in the largest unit of which there are two: `30 days`, `90 minutes`. */
function spanWords(ms: Millis): string {
  const [size, unit] = UNITS.find(([length]) => ms >= 2 * length) ?? [1000, 'second'];
  return counted(Math.round(ms / size), unit);
}

/** Strategies that a title names. */
const TITLED = 3;

/** What was played: each strategy with the parameters that its configuration names, its product and the others that it traded; and all as a title, without parameters. */
export function playedOf({ strategies, fills }: Pick<RunRecord, 'strategies' | 'fills'>): {
  readonly title: string;
  readonly played: readonly string[];
} {
  const enabled = strategies.filter((one) => one.enabled);
  const all = enabled.map((one) => ({
    one,
    products: [...new Set([one.product, ...fills.flatMap(({ strategy, product }) => (strategy === one.id ? [product] : []))])],
  }));
  const played = all.map(({ one, products }) => strategyText(one, products));
  if (enabled.length === 0) return { title: 'no strategy', played };
  const names = enabled.length <= TITLED ? enabled.map(({ id }) => id).join(', ') : `${enabled.length} strategies`;
  const products = [...new Set([...enabled.map(({ product }) => product), ...all.flatMap((one) => one.products)])];
  const more = products.length > TITLED + 1 ? products.slice(TITLED) : [];
  const named = products.slice(0, products.length - more.length).join(', ');
  return { title: `${names} on ${named}${more.length > 0 ? ` and ${more.length} more` : ''}`, played };
}

/** `cross: sma-cross (fast=5, slow=20) on btcusd`. */
function strategyText({ id, use, params }: RunStrategy, products: readonly string[]): string {
  const sorted = Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1));
  const named = sorted.map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`);
  return `${id}: ${use}${named.length === 0 ? '' : ` (${named.join(', ')})`} on ${products.join(', ')}`;
}
