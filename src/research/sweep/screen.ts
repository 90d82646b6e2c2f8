import { isDeepStrictEqual } from 'node:util';
import type { ScreenResult } from '#core/quick-trials/account.ts';
import { recordsOf } from '#core/quick-trials/rows.ts';
import { ScreenRefusal } from '#core/quick-trials/screen-refusal.ts';
import { signalsOf } from '#core/quick-trials/signals.ts';
import { LaneStream } from '#core/quick-trials/stream.ts';
import type { TraderOf } from '#core/quick-trials/trader.ts';
import { playTrial as screenTrial } from '#core/quick-trials/trial.ts';
import { readParams } from '#core/strategy/params.ts';
import type { Decision } from '#domain/decision.ts';
import { figureAt } from '#domain/figure-at.ts';
import type { Millis } from '#domain/names.ts';
import type { TrialJob, TrialResult } from '#research/replay/trial.ts';
import { screenedResult } from './screened-result.ts';
import { type PlayedTrial, playedTrial, playTrial, type TrialBase, trialSession, unplayedFor } from './sweep-trial.ts';
import { groundOf, type SharedStrategy, type TrialGround } from './trial-ground.ts';
import { paramsAmong, settingsVaried, withSettings } from './varied-settings.ts';

/** A fill as both ways of playing tell it: when it was decided, and what was executed, size in base currency, price in quote currency. */
interface FillLine {
  readonly strategy: string | null;
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

interface PlayedGround extends TrialGround {
  readonly stream: LaneStream;
  readonly records: readonly Float64Array[];
  /** What the engine made of a trial in which nothing was wanted: all of them come to it. */
  silent?: TrialResult;
}

/** A trial of the screen, and what its time shares. */
interface ScreenedTrial {
  readonly shared: PlayedGround;
  /** Undefined where nothing is wanted. */
  readonly trial: ScreenResult | undefined;
}

/** What the screen makes of a trial, or why it is the engine's; and what the engine made of it where it was the first of its time. */
interface TrialStart {
  readonly tried?: ScreenedTrial | string | undefined;
  readonly first?: PlayedTrial;
  /** The first of its time, where the engine could not play it. */
  readonly unplayed?: TrialResult;
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
  private readonly known = new Map<string, PlayedGround | string>();
  /** Changes what trials share; a test plants a fault so. */
  private readonly alter: (shared: TrialGround) => TrialGround;

  constructor(base: TrialBase, alter: (shared: TrialGround) => TrialGround = (shared) => shared) {
    this.base = base;
    this.ids = base.config.settings.strategies.map(({ id }) => id);
    this.alter = alter;
  }

  /** Plays a trial by the screen where that is exact, else by the engine. */
  async play(job: TrialJob): Promise<TrialResult> {
    const { tried, first, unplayed } = await this.begun(job);
    const byEngine = async (): Promise<TrialResult> => first?.result ?? unplayed ?? playTrial(this.base, job);
    if (tried === undefined) return byEngine();
    if (typeof tried === 'string') return { ...(await byEngine()), unscreened: tried };
    const { shared, trial } = tried;
    if (trial) return screenedResult(job, { ...shared, trial });
    if (shared.silent) return { ...shared.silent, ...job, screened: true };
    shared.silent = await byEngine();
    return { ...shared.silent, unscreened: FIRST_SILENT };
  }

  /** Plays a trial by the engine, and says where the screen differs. */
  async replay(job: TrialJob): Promise<ReplayedTrial> {
    const { tried = FAILED, first } = await this.begun(job);
    const { result, decisions } = first ?? (await playedTrial(this.base, job));
    if (typeof tried === 'string') return { result: { ...result, unscreened: tried }, unequal: null };
    const { shared, trial } = tried;
    if (!trial) shared.silent ??= result;
    const screened = trial ? screenedResult(job, { ...shared, trial }) : (shared.silent ?? result);
    const unequal = unequalIn(job, fillsOf(trial, shared), fillsIn(decisions)) ?? unequalFigure(screened, result);
    return { result: unequal ? result : { ...result, replayed: true }, unequal };
  }

  /** What the screen makes of a trial. The first of its time the engine plays besides: that says what all others have in common. */
  private async begun(job: TrialJob): Promise<TrialStart> {
    const tried = this.tried(job);
    if (tried !== undefined) return { tried };
    if (this.known.size >= KEPT) this.known.clear();
    let first: PlayedTrial;
    try {
      first = await playedTrial(this.base, job);
    } catch (error) {
      return { unplayed: unplayedFor(error, job) };
    }
    // Begun from nothing, so that it says nothing of the time.
    if (first.result.failed !== null) return { first };
    const session = await trialSession(this.base, job);
    const shared = unlessRefused((): PlayedGround => {
      const altered = this.alter(groundOf(session, first.result, this.base));
      const rows = altered.lanes.map((lane) => lane.rows);
      return { ...altered, stream: new LaneStream(rows), records: rows.map(recordsOf) };
    });
    this.known.set(timeOf(job), shared);
    return { tried: this.tried(job), first };
  }

  /** What the screen makes of a trial, or why that is the engine's; undefined for the first of its time. */
  private tried(job: TrialJob): ScreenedTrial | string | undefined {
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

function trialIn(shared: PlayedGround, { params }: TrialJob): ScreenResult | undefined {
  const varied = withSettings(shared.settings, params);
  if (typeof varied === 'string') throw new ScreenRefusal('a faulty setting');
  return screenTrial(
    shared.strategies.map((one) => traderOf(one, params, { ...shared, settings: varied })),
    shared,
  );
}

/** A strategy with what a trial varies of it. */
function traderOf({ strategy, ...trading }: SharedStrategy, params: TrialJob['params'], { settings, lanes, from }: PlayedGround): TraderOf {
  const { definition, id } = strategy;
  const entry = settings.strategies.find((one) => one.id === id);
  const columns = lanes[trading.lane]?.columns;
  if (!entry || !columns) throw new ScreenRefusal('a strategy without an entry');
  const given = readParams(definition.params ?? {}, { ...entry.params, ...paramsAmong(params[id]) });
  const instance = { ...strategy, params: given.values };
  const areBars = columns.columns.barMs !== undefined;
  return { ...trading, instance, signals: signalsOf(instance, columns, { areBars: () => areBars, from }), exits: entry.exits };
}

function fillsOf(trial: ScreenResult | undefined, { strategies, lanes }: TrialGround): readonly FillLine[] {
  return (trial?.fills ?? []).flatMap(({ trader, row, sign, sentAt }): FillLine[] => {
    const one = strategies[trader];
    const quotes = lanes[one?.lane ?? -1]?.rows.quotes;
    if (!one || !quotes) return [];
    const side = sign === 1 ? 'buy' : 'sell';
    const { price, size } = quotes[side];
    return [{ strategy: one.strategy.id, at: sentAt, side, price: figureAt(price, row), size: figureAt(size, row) }];
  });
}

function fillsIn(decisions: readonly Decision[]): readonly FillLine[] {
  const decidedAt = new Map(decisions.flatMap((one) => (one.kind === 'approved' ? [[one.orderId, one.at] as const] : [])));
  return decisions.flatMap((one): FillLine[] => {
    if (one.kind !== 'accepted') return [];
    const { side, price, size } = one.detail.fill;
    return [{ strategy: one.strategy, at: decidedAt.get(one.orderId) ?? one.at, side, price: Number(price), size: Number(size) }];
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
  const compared = Object.entries(screened.figures).map(([name, ours]) => [name, ours, exact.figures[name] ?? null] as const);
  const counts = (['fills', 'exact'] as const).map((name) => [name, screened[name], exact[name]] as const);
  for (const [name, ours, theirs] of [...counts, ...compared]) {
    if (ours === theirs || (ours !== null && theirs !== null && Math.abs(ours - theirs) <= FIGURES_WITHIN * (1 + Math.abs(theirs))))
      continue;
    return { job: { id, setup, params, from, to }, what: name, screened: ours, exact: theirs };
  }
  return null;
}
