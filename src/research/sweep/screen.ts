import { isDeepStrictEqual } from 'node:util';
import type { LoadedStrategy } from '#assembly/assemble.ts';
import { engineRules } from '#assembly/engine-rules.ts';
import type { Settings, StrategySettings } from '#config/settings.ts';
import { figureAt, RecordingColumns } from '#core/screen/columns.ts';
import type { DayEnd } from '#core/screen/course.ts';
import { type Rows, recordsOf, rowsOf } from '#core/screen/rows.ts';
import { ScreenRefusal } from '#core/screen/screen-refusal.ts';
import { signalsOf } from '#core/screen/signals.ts';
import { type Conditions, type ScreenResult, playTrial as screenTrial } from '#core/screen/trial.ts';
import { readParams } from '#core/strategy/params.ts';
import type { Decision } from '#domain/decision.ts';
import { firstAt } from '#domain/first-where.ts';
import { laneFor } from '#domain/lane.ts';
import type { Millis } from '#domain/names.ts';
import { productOf } from '#domain/product.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { DAY_MS } from '#domain/utc-day.ts';
import { holesWithin } from '#report/equity/empty-times.ts';
import { backtestFreshness, withRanges } from '#research/backtest/imports.ts';
import { limitsHeld } from '#research/backtest/limits-held.ts';
import { allOf } from '#research/backtest/played-lanes.ts';
import { type BacktestSession, UNMEASURED_ROUND_TRIP_MS } from '#research/backtest/session.ts';
import type { SharedData } from '#research/backtest/shared-data.ts';
import { drawnLatency, fixedLatency } from '#research/replay/latency.ts';
import type { TrialJob, TrialResult } from '#research/replay/trial.ts';
import { screenedResult } from './screened-result.ts';
import { playTrial, resultOf, type TrialBase, trialSession } from './sweep-trial.ts';
import { paramsAmong, settingsVaried, withSettings } from './varied-settings.ts';

/** A fill as both ways of playing tell it: when it was decided, and what was executed, size in base currency, price in quote currency. */
interface FillLine {
  readonly at: Millis;
  readonly side: 'buy' | 'sell';
  readonly price: number;
  readonly size: number;
}

/** The first place at which the screen and the engine differ in a trial. */
export interface Unequal {
  readonly job: TrialJob;
  readonly what: string;
  readonly screened: FillLine | number | null;
  readonly exact: FillLine | number | null;
}

/** A trial that the engine has played again, and where that differs. */
export interface ReplayedTrial {
  readonly result: TrialResult;
  readonly unequal: Unequal | null;
}

/** What the trials of one time of the recording share. */
interface Shared {
  readonly rows: Rows;
  readonly columns: RecordingColumns;
  readonly conditions: Conditions;
  readonly strategy: LoadedStrategy['strategy'];
  readonly settings: Settings;
  readonly areBars: boolean;
  readonly from: Millis;
  /** A trial that the engine has played, with what does not depend on parameters. */
  readonly reference: TrialResult;
}

interface Played extends Shared {
  readonly records: Float64Array;
  /** What the engine made of a trial in which nothing was wanted: all of them come to it. */
  silent?: TrialResult;
}

/** A trial of the screen, and what its time shares. */
interface Tried {
  readonly shared: Played;
  readonly trial: ScreenResult;
}

/** What the screen makes of a trial, or why it is the engine's; and what the engine made of it where it was the first of its time. */
interface Begun {
  readonly tried?: Tried | string | undefined;
  readonly reference?: TrialResult;
}

/** Times of the recording that are kept at once: those of a walk-forward come one after the other. */
const KEPT = 4;

/** Why the engine plays the first trial that comes to nothing. */
const FIRST_SILENT = 'the first of each thread in which nothing is wanted';

/** Why the engine plays a trial where the first of its time has failed. */
const FAILED = 'a first trial that fails';

/** Figures of both ways may differ by this share: one reckons in doubles, the other in decimals. */
const FIGURES_WITHIN = 1e-6;

/** Plays the trials of one thread, over columns that they share; what is beyond the screen the engine plays. */
export class Screen {
  private readonly base: TrialBase;
  private readonly ids: readonly string[];
  private readonly known = new Map<string, Played | string>();
  /** Changes what trials share; a test plants a fault so. */
  private readonly alter: (shared: Shared) => Shared;

  constructor(base: TrialBase, alter: (shared: Shared) => Shared = (shared) => shared) {
    this.base = base;
    this.ids = base.config.settings.strategies.map(({ id }) => id);
    this.alter = alter;
  }

  /** Plays a trial by the screen where that is exact, else by the engine. */
  async play(job: TrialJob): Promise<TrialResult> {
    const { tried, reference } = await this.begun(job);
    const byEngine = async (): Promise<TrialResult> => reference ?? playTrial(this.base, job);
    if (tried === undefined) return byEngine();
    if (typeof tried === 'string') return { ...(await byEngine()), unscreened: tried };
    const { shared, trial } = tried;
    if (!trial.isSilent) return screenedResult(job, { ...shared, trial });
    if (shared.silent) return { ...shared.silent, ...job, screened: true };
    shared.silent = await byEngine();
    return { ...shared.silent, unscreened: FIRST_SILENT };
  }

  /** Plays a trial by the engine, and says where the screen differs. */
  async replay(job: TrialJob): Promise<ReplayedTrial> {
    const { tried = FAILED } = await this.begun(job);
    const session = await trialSession(this.base, job);
    const run = session.play();
    const result = resultOf(job, session, run);
    if (typeof tried === 'string') return { result: { ...result, unscreened: tried }, unequal: null };
    const { shared, trial } = tried;
    if (trial.isSilent) shared.silent ??= result;
    const screened = (trial.isSilent && shared.silent) || screenedResult(job, { ...shared, trial });
    const unequal = unequalIn(job, fillsOf(trial, shared.rows), fillsIn(run.decisions)) ?? unequalFigure(screened, result);
    return { result: unequal ? result : { ...result, replayed: true }, unequal };
  }

  /** What the screen makes of a trial. The first of its time the engine plays besides: that says what all others have in common. */
  private async begun(job: TrialJob): Promise<Begun> {
    const tried = this.tried(job);
    if (tried !== undefined) return { tried };
    const reference = await playTrial(this.base, job);
    if (this.known.size >= KEPT) this.known.clear();
    // Begun from nothing, so that it says nothing of the time.
    if (reference.failed !== null) return { reference };
    const session = await trialSession(this.base, job);
    const shared = unlessRefused((): Played => {
      const altered = this.alter(sharedIn(session, reference, this.base));
      return { ...altered, records: recordsOf(altered.rows) };
    });
    this.known.set(timeOf(job), shared);
    return { tried: this.tried(job), reference };
  }

  /** What the screen makes of a trial, or why that is the engine's; undefined for the first of its time. */
  private tried(job: TrialJob): Tried | string | undefined {
    const shared = this.beyond(job) ?? this.known.get(timeOf(job));
    if (shared === undefined || typeof shared === 'string') return shared;
    return unlessRefused(() => ({ shared, trial: trialIn(shared, job) }));
  }

  /** Why a trial is the engine's whatever its time shares. */
  private beyond({ params, isWarm }: TrialJob): string | undefined {
    if (isWarm) return 'the test of a walk-forward, whose signals begin warm';
    const setting = settingsVaried(params, this.ids).find((name) => !name.includes('.exits.'));
    return setting && `${setting}, which is varied`;
  }
}

const timeOf = ({ from, to }: TrialJob): string => `${from} ${to}`;

/** What was made, or why that is the engine's. */
function unlessRefused<Made>(make: () => Made): Made | string {
  try {
    return make();
  } catch (error) {
    if (error instanceof ScreenRefusal) return error.message;
    throw error;
  }
}

function trialIn({ strategy, settings, columns, areBars, from, rows, records, conditions }: Played, { params }: TrialJob): ScreenResult {
  const { definition, id } = strategy;
  const varied = withSettings(settings, params);
  if (typeof varied === 'string') throw new ScreenRefusal('a faulty setting');
  const entry = varied.strategies.find((one) => one.id === id);
  if (!entry) throw new ScreenRefusal('a strategy without an entry');
  const given = readParams(definition.params ?? {}, { ...entry.params, ...paramsAmong(params[id]) });
  const instance = { ...strategy, params: given.values };
  const over = { rows, records, conditions, exits: entry.exits };
  const trial = screenTrial(instance, signalsOf(instance, columns, { areBars: () => areBars, from }), over);
  if (trial.fills.rows.length === 0 && !trial.isSilent) throw new ScreenRefusal('a trial whose orders were all refused');
  return trial;
}

/** What all trials of a time have in common. Throws ScreenRefusal, naming the setting or the data, where the screen cannot play them. */
function sharedIn(session: BacktestSession, reference: TrialResult, { config, shared: { data, inputs, measured } }: TrialBase): Shared {
  const { settings } = config;
  const { lanes, strategies, modelled, from } = session;
  const [loaded, another] = strategies;
  const [played, further] = lanes;
  const [entry] = settings.strategies.filter(({ enabled }) => enabled);
  const [quotes, otherQuotes] = session.columns;
  if (!loaded || !entry || another) throw new ScreenRefusal('several strategies: vary one of them, without --with-others');
  if (!played || further || !quotes || otherQuotes) throw new ScreenRefusal('recorded quotes of several amounts');
  const { strategy } = loaded;
  const lane = laneFor(strategy.product, strategy.amount);
  if (modelled.length > 0 || quotes.lane !== lane.id) throw new ScreenRefusal('strategies[].amount: another than was recorded');
  const rules = engineRules(settings, strategies);
  throwIfBeyond(session, { entry, quotes, rules, shared: { data, inputs, measured } });
  const { latency } = settings.backtest;
  const longestMs = longestOf(latency);
  const [product] = session.products.filter(({ code }) => code === strategy.product);
  if (!product) throw new ScreenRefusal('a product that is not listed');
  const { capital = null, revaluation = null, flows = null } = reference.figures;
  if (capital === null || reference.currency !== quotes.quoteCcy || revaluation !== 0 || flows !== 0)
    throw new ScreenRefusal(`account.currency: a value in another currency than ${quotes.quoteCcy}`);
  const last = quotes.at[quotes.length - 1] ?? 0;
  // The first trial may have waited for an order that was on its way at the end.
  const waitedMs = Math.max(0, (reference.days.at(-1)?.at ?? last) - last);
  if (waitedMs > 0 && (reference.days.at(-2)?.at ?? 0) >= last) throw new ScreenRefusal('an end at midnight');
  const opening =
    rules.opening?.get(quotes.quoteCcy)?.toNumber() ?? (rules.opening !== null && rules.isOpeningWhole ? 0 : Number.POSITIVE_INFINITY);
  const limits = limitsHeld(rules.limits, settings.backtest.limits);
  const rows = rowsOf({
    quotes,
    lane,
    product: productOf(product),
    freshnessOf: backtestFreshness(data.imports, settings.lanes.staleAfterMs),
    limits,
    roundTripMs: 2 * longestMs,
    marginMs: settings.trading.sendMarginMs,
  });
  const conditions: Conditions = {
    limits,
    canShort: rules.canShort.has(strategy.product),
    feeIn: rules.feeIn,
    delays: () => (typeof latency === 'object' ? drawnLatency(latency, settings.trading.seed) : fixedLatency(longestMs)).draw,
    capital,
    spendable: limits.spending === 'unlimited' ? Number.POSITIVE_INFINITY : Math.min(capital, opening),
    closesAtEnd: settings.backtest.atEnd === 'close',
    days: daysOf(reference, rows),
    tradedMs: (reference.figures.days ?? 0) * DAY_MS - waitedMs,
  };
  return {
    rows,
    columns: new RecordingColumns(quotes),
    conditions,
    strategy,
    settings,
    areBars: quotes.barMs !== undefined,
    from,
    reference,
  };
}

interface Playable {
  readonly entry: StrategySettings;
  readonly quotes: QuoteColumns;
  readonly rules: ReturnType<typeof engineRules>;
  readonly shared: Pick<SharedData, 'data' | 'inputs' | 'measured'>;
}

/** Throws ScreenRefusal for settings and data of which the screen knows nothing. */
function throwIfBeyond(session: BacktestSession, { entry, quotes, rules, shared: { data, inputs, measured } }: Playable): void {
  const { settings } = session.config;
  const unscreened: readonly (readonly [is: boolean, what: string])[] = [
    [entry.windows !== null, 'strategies[].windows'],
    [settings.schedule.length > 0, 'schedule'],
    [settings.backtest.deposits !== null, 'backtest.deposits'],
    [rules.financing !== null, 'account.financing'],
    [rules.feeIn !== 'quote', 'service.feeIn'],
    [withRanges(data.imports).has(quotes.product), 'bars that are played with their ranges'],
    [session.empty.length > 0 || holesWithin(allOf(session.traded), session).length > 0, 'a hole in the data'],
    [inputs.length > 0, 'recorded inputs'],
    [quotes.n.some(Number.isNaN) && !quotes.n.every(Number.isNaN), 'quotes that newer ones replaced'],
    [quotes.line.some((line, row) => row > 0 && line <= (quotes.line[row - 1] ?? 0)), 'a recording of several runs'],
  ];
  const found = unscreened.find(([is]) => is);
  if (found) throw new ScreenRefusal(found[1]);
  const { latency } = settings.backtest;
  if (latency === 'measured' && measured.length > 0) throw new ScreenRefusal('backtest.latency: measured');
  if (2 * longestOf(latency) > settings.service.answerMs) throw new ScreenRefusal('a latency beyond service.answerMs');
}

/** The longest latency of an order, in milliseconds each way. */
function longestOf(latency: Settings['backtest']['latency']): Millis {
  if (typeof latency === 'number') return latency;
  return latency === 'measured' ? UNMEASURED_ROUND_TRIP_MS / 2 : latency[1];
}

/** What comes at midnight is of the day that begins; a bar that ends then is of the day that ends. */
function daysOf({ days }: TrialResult, { quotes: { at, barMs, length } }: Rows): readonly DayEnd[] {
  return days.map(({ at: end, whole }) => ({
    at: Math.min(end, Math.max(days.at(-2)?.at ?? 0, at[length - 1] ?? 0)),
    whole,
    lastRow: Math.min(length, firstAt(at, barMs === undefined ? end : end + 1)) - 1,
  }));
}

function fillsOf({ fills }: ScreenResult, { quotes }: Rows): readonly FillLine[] {
  return fills.rows.map((row, n): FillLine => {
    const side = fills.signs[n] === 1 ? 'buy' : 'sell';
    const { price, size } = quotes[side];
    return { at: figureAt(quotes.at, row), side, price: figureAt(price, row), size: figureAt(size, row) };
  });
}

function fillsIn(decisions: readonly Decision[]): readonly FillLine[] {
  const decidedAt = new Map(decisions.flatMap((one) => (one.kind === 'approved' ? [[one.orderId, one.at] as const] : [])));
  return decisions.flatMap((one): FillLine[] => {
    if (one.kind !== 'accepted') return [];
    const { side, price, size } = one.detail.fill;
    return [{ at: decidedAt.get(one.orderId) ?? one.at, side, price: Number(price), size: Number(size) }];
  });
}

function unequalIn(job: TrialJob, screened: readonly FillLine[], exact: readonly FillLine[]): Unequal | null {
  const most = Math.max(screened.length, exact.length);
  for (let n = 0; n < most; n++)
    if (!isDeepStrictEqual(screened[n], exact[n]))
      return { job, what: `fill ${n + 1}`, screened: screened[n] ?? null, exact: exact[n] ?? null };
  return null;
}

/** Figures that the screen has none of are the engine's alone. */
function unequalFigure(screened: TrialResult, exact: TrialResult): Unequal | null {
  const { id, setup, params, from, to } = exact;
  for (const [name, ours] of Object.entries(screened.figures)) {
    const theirs = exact.figures[name] ?? null;
    if (ours === theirs || (ours !== null && theirs !== null && Math.abs(ours - theirs) <= FIGURES_WITHIN * (1 + Math.abs(theirs))))
      continue;
    return { job: { id, setup, params, from, to }, what: name, screened: ours, exact: theirs };
  }
  return null;
}
