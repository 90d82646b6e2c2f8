import type { LoadedStrategy } from '#assembly/assemble.ts';
import { engineRules } from '#assembly/engine-rules.ts';
import type { Settings } from '#config/settings.ts';
import { RecordingColumns } from '#core/quick-trials/columns.ts';
import type { DayEnd } from '#core/quick-trials/course.ts';
import { type Rows, rowsOf } from '#core/quick-trials/rows.ts';
import { ScreenRefusal } from '#core/quick-trials/screen-refusal.ts';
import { isImported, placeFrom } from '#core/quick-trials/stream.ts';
import type { TraderOf } from '#core/quick-trials/trader.ts';
import type { Conditions } from '#core/quick-trials/trial.ts';
import { laneFor } from '#domain/lane.ts';
import type { Millis } from '#domain/names.ts';
import { productOf } from '#domain/product.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { DAY_MS } from '#domain/utc-day.ts';
import { holesWithin } from '#report/equity/empty-times.ts';
import { withRanges } from '#research/backtest/imports.ts';
import { limitsHeld } from '#research/backtest/limits-held.ts';
import { allOf } from '#research/backtest/played-lanes.ts';
import { type BacktestSession, UNMEASURED_ROUND_TRIP_MS } from '#research/backtest/session.ts';
import { drawnLatency, fixedLatency } from '#research/replay/latency.ts';
import type { TrialResult } from '#research/replay/trial.ts';
import type { TrialBase } from './sweep-trial.ts';

type Strategy = LoadedStrategy['strategy'];

/** What the trials of one time of the recording share. */
export interface TrialGround {
  readonly lanes: readonly SharedLane[];
  readonly strategies: readonly SharedStrategy[];
  readonly conditions: Conditions;
  readonly settings: Settings;
  readonly from: Millis;
  /** In which all is quoted. */
  readonly currency: string;
  /** A trial that the engine has played, with what does not depend on parameters. */
  readonly reference: TrialResult;
}

interface SharedLane {
  readonly rows: Rows;
  readonly columns: RecordingColumns;
}

/** A strategy, and what of its trading no trial varies. */
export interface SharedStrategy extends Pick<TraderOf, 'lane' | 'canShort' | 'budget'> {
  readonly strategy: Strategy;
}

type Rules = ReturnType<typeof engineRules>;

/** What all trials of a time have in common. Throws ScreenRefusal, naming the setting or the data, where the screen cannot play them. */
export function groundOf(session: BacktestSession, reference: TrialResult, base: TrialBase): TrialGround {
  const { settings } = base.config;
  const { columns, from } = session;
  const rules = engineRules(settings, session.strategies);
  const strategies = session.strategies.map(({ strategy }) => strategy);
  const currency = currencyIn(columns);
  throwIfNotRecorded(session, strategies);
  throwIfBeyond(session, rules, base);
  const { revaluation = null, flows = null } = reference.figures;
  if (reference.currency !== currency || revaluation !== 0 || flows !== 0)
    throw new ScreenRefusal(`account.currency: a value in another currency than ${currency}`);
  const lanes = columns.map((quotes) => ({
    rows: laneRows(quotes, { session, rules, strategies }),
    columns: new RecordingColumns(quotes),
  }));
  return {
    lanes,
    strategies: strategies.map((strategy) => ({
      strategy,
      lane: columns.findIndex(({ lane }) => lane === laneFor(strategy.product, strategy.amount).id),
      canShort: rules.canShort.has(strategy.product),
      budget: budgetOf(strategy, rules, currency),
    })),
    conditions: conditionsOf({ settings, rules, reference, currency, rows: lanes.map((lane) => lane.rows) }),
    settings,
    from,
    currency,
    reference,
  };
}

function currencyIn(columns: readonly QuoteColumns[]): string {
  const [currency = '', another] = new Set(columns.map(({ quoteCcy }) => quoteCcy));
  if (another !== undefined) throw new ScreenRefusal(`products in several quote currencies: ${currency} and ${another}`);
  return currency;
}

/** Throws ScreenRefusal where strategies and recorded amounts are not the same. */
function throwIfNotRecorded({ columns, lanes, modelled }: BacktestSession, strategies: readonly Strategy[]): void {
  const wanted = new Set<string>(strategies.map(({ product, amount }) => laneFor(product, amount).id));
  if (modelled.length > 0 || [...wanted].some((id) => !columns.some(({ lane }) => lane === id)))
    throw new ScreenRefusal('strategies[].amount: another than was recorded');
  if (columns.length > wanted.size || lanes.length > wanted.size)
    throw new ScreenRefusal('recorded quotes of an amount, or a product, that no strategy trades');
}

function laneRows(
  quotes: QuoteColumns,
  { session, rules, strategies }: { readonly session: BacktestSession; readonly rules: Rules; readonly strategies: readonly Strategy[] },
): Rows {
  const { settings } = session.config;
  const own = strategies.find(({ product, amount }) => laneFor(product, amount).id === quotes.lane);
  const [product] = session.products.filter(({ code }) => code === quotes.product);
  if (!own || !product) throw new ScreenRefusal('a product that is not listed');
  return rowsOf({
    quotes,
    lane: laneFor(own.product, own.amount),
    product: productOf(product),
    freshnessOf: session.freshnessOf,
    limits: limitsHeld(rules.limits, settings.backtest.limits),
    roundTripMs: 2 * longestOf(settings.backtest.latency),
    marginMs: settings.trading.sendMarginMs,
  });
}

function budgetOf({ budget }: Strategy, { defaultBudget }: Rules, currency: string): number {
  if (budget === null) return defaultBudget.toNumber();
  const [own, another] = budget;
  if (own?.[0] !== currency || another) throw new ScreenRefusal(`strategies[].budget: other currencies than ${currency}`);
  return own[1].toNumber();
}

interface ConditionsOf {
  readonly settings: Settings;
  readonly rules: Rules;
  readonly reference: TrialResult;
  readonly currency: string;
  readonly rows: readonly Rows[];
}

function conditionsOf({ settings, rules, reference, currency, rows }: ConditionsOf): Conditions {
  const { latency, atEnd, limits } = settings.backtest;
  const last = Math.max(...rows.map(({ quotes: { at, length } }) => at[length - 1] ?? 0));
  // The first trial may have waited for an order that was on its way at the end.
  const waitedMs = Math.max(0, (reference.days.at(-1)?.at ?? last) - last);
  if (waitedMs > 0 && (reference.days.at(-2)?.at ?? 0) >= last) throw new ScreenRefusal('an end at midnight');
  const unnamed = rules.opening !== null && rules.isOpeningWhole ? 0 : Number.POSITIVE_INFINITY;
  return {
    limits: limitsHeld(rules.limits, limits),
    feeIn: rules.feeIn,
    delays: () => (typeof latency === 'object' ? drawnLatency(latency, settings.trading.seed) : fixedLatency(longestOf(latency))).draw,
    opening: rules.opening?.get(currency)?.toNumber() ?? unnamed,
    closesAtEnd: atEnd === 'close',
    days: daysOf(reference, rows, last),
    tradedMs: (reference.figures.days ?? 0) * DAY_MS - waitedMs,
  };
}

/** Throws ScreenRefusal for settings and data of which the screen knows nothing. */
function throwIfBeyond(session: BacktestSession, rules: Rules, { shared: { data, inputs, measured } }: TrialBase): void {
  const { columns: lanes, empty, traded } = session;
  const { backtest, schedule, service, strategies } = session.config.settings;
  const { latency } = backtest;
  const isAny = (is: (lane: QuoteColumns) => boolean): boolean => lanes.some(is);
  const unscreened: readonly (readonly [is: boolean, what: string])[] = [
    [strategies.some(({ enabled, windows }) => enabled && windows !== null), 'strategies[].windows'],
    [schedule.length > 0, 'schedule'],
    [backtest.deposits !== null, 'backtest.deposits'],
    [rules.financing !== null, 'account.financing'],
    [rules.feeIn !== 'quote', 'service.feeIn'],
    [isAny(({ product }) => withRanges(data.imports).has(product)), 'bars that are played with their ranges'],
    [empty.length > 0 || holesWithin(allOf(traded), session).length > 0, 'a hole in the data'],
    [inputs.length > 0, 'recorded inputs'],
    [isAny(({ n }) => n.some(Number.isNaN) && !n.every(Number.isNaN)), 'quotes that newer ones replaced'],
    [isAny(({ line }) => line.some((one, row) => row > 0 && one <= (line[row - 1] ?? 0))), 'a recording of several runs'],
    [new Set(lanes.map(({ barMs }) => barMs)).size > 1, 'bars of several widths, or beside ticks'],
    [lanes.length > 1 && new Set(lanes.map(isImported)).size > 1, 'imports beside recordings'],
    [lanes.length > 1 && isAny(({ barMs, at }) => barMs !== undefined && hasEqual(at)), 'two bars that end together'],
    [latency === 'measured' && measured.length > 0, 'backtest.latency: measured'],
    [2 * longestOf(latency) > service.answerMs, 'a latency beyond service.answerMs'],
  ];
  const found = unscreened.find(([is]) => is);
  if (found) throw new ScreenRefusal(found[1]);
}

const hasEqual = (times: Float64Array): boolean => times.some((at, row) => row > 0 && at === times[row - 1]);

/** The longest latency of an order, in milliseconds each way. */
function longestOf(latency: Settings['backtest']['latency']): Millis {
  if (typeof latency === 'number') return latency;
  return latency === 'measured' ? UNMEASURED_ROUND_TRIP_MS / 2 : latency[1];
}

/** What comes at midnight is of the day that begins; a bar that ends then is of the day that ends. */
function daysOf({ days }: TrialResult, rows: readonly Rows[], last: Millis): readonly DayEnd[] {
  const areBars = rows.some(({ quotes }) => quotes.barMs !== undefined);
  return days.map(({ at: end, whole }) => ({
    at: Math.min(end, Math.max(days.at(-2)?.at ?? 0, last)),
    whole,
    end: placeFrom(rows, (at) => (areBars ? at > end : at >= end)),
  }));
}
