import type { DecisionLog } from '#core/decisions/decision-log.ts';
import { AccountPeak } from '#core/portfolio/account-peak.ts';
import type { Book } from '#core/portfolio/books.ts';
import type { ProfitState } from '#core/portfolio/profit-state.ts';
import type { ProfitTrack } from '#core/portfolio/profit-track.ts';
import { countedIn } from '#core/portfolio/valuation.ts';
import { type Decimal, decimalOf } from '#domain/decimal.ts';
import { type Currency, type Millis, type StrategyId, strategyId } from '#domain/names.ts';
import type { Fill } from '#domain/order.ts';
import type { PastBooks } from '#domain/past-books.ts';
import type { PastProfit, PeakOf } from '#domain/past-risk.ts';
import { closeResult } from '#domain/position.ts';
import type { Reason } from '#domain/reasons.ts';
import { figuresForOthers, type Limits, type ValueCap } from './limits.ts';

/** A loss limit that is reached. */
interface Trip {
  readonly reason: Reason;
  readonly why: string;
}

/** What was lost since the day began in all currencies that count towards one figure of `risk.maxDayLoss`. */
export interface DayLoss {
  /** That of the figure. */
  readonly currency: string;
  /** Negative where something was won. */
  readonly lost: number;
  readonly limit: number;
  /** True where one of them is measured from a resumption within the day. */
  readonly isResumed: boolean;
}

/** Account drawdown: how far profit is below its peak, all currencies together for which there are rates, or of one that stands for itself. */
export interface Drawdown {
  readonly amount: number;
  readonly pct: number;
  readonly currency: string;
}

/** True where a limit may be reached by what was lost since the day began, or since the peak. */
type IsReached = (dayLoss: number, belowPeak: number, peak: number) => boolean;

interface LossLimitsOptions {
  readonly limits: Limits;
  /** What drawdowns are added up in, where there are rates. */
  readonly currency: string;
  /** Its currencies may be several that count towards one limit; with one, the others need not be read. */
  readonly profit: Pick<ProfitTrack, 'currencies' | 'standings' | 'isResumed'>;
  /** Opening capital in a currency. */
  readonly capital: (currency: Currency) => number;
  /** Known ones, however old their quotes are. */
  readonly rate: (from: string, to: string, amount: number) => number | undefined;
}

/** Holds what was lost since the day began, and since the peak, against the limits, at each quote and fill. */
export class LossLimits {
  private readonly options: LossLimitsOptions;
  /** `maxDayLoss` as doubles, which is what losses are measured in. */
  private readonly caps: ReadonlyMap<string, number>;
  private readonly forOthers: ValueCap;
  /** Of all currencies together. */
  readonly peak: AccountPeak;

  constructor(options: LossLimitsOptions) {
    this.options = options;
    const { currency } = options;
    this.peak = new AccountPeak({ currency, worth: (amount, from, to) => this.worth(amount, from, to) });
    this.forOthers = figuresForOthers(options.limits.maxDayLoss, options.currency);
    this.caps = new Map([...(options.limits.maxDayLoss ?? [])].map(([currency, limit]) => [currency, limit.toNumber()]));
  }

  /** The limit that is reached now that profit in the currency of `standing` has changed; undefined for none. */
  trip(standing: ProfitState): Trip | undefined {
    const { profit } = this.options;
    if (profit.currencies > 1) this.peak.see(profit.standings());
    const isReached = this.ofOne(standing.currency);
    if (isReached && !isReached(standing.dayLoss, standing.belowPeak, standing.peak)) return undefined;
    return this.dayLoss(standing) ?? this.drawdown(standing);
  }

  /** Says whether a limit may be reached where one currency stands, at a quote and over rows; undefined where more than that decides. */
  ofOne(currency: Currency): IsReached | undefined {
    const { limits, profit } = this.options;
    const cap = this.caps.size === 0 ? Number.POSITIVE_INFINITY : this.caps.get(currency);
    if (cap === undefined || profit.currencies !== 1) return undefined;
    const most = limits.maxDrawdownPct;
    if (most === null) return (dayLoss) => !(dayLoss < cap);
    const capital = this.options.capital(currency);
    return (dayLoss, belowPeak, peak) => !(dayLoss < cap) || (belowPeak !== 0 && !(percentOf(belowPeak, capital + peak) < most));
  }

  /**
   * What the limits hold where all currencies stand so, for people: each figure of the day's loss, and the drawdown that is nearest to its
   * limit; and the drawdown below the highest of all, whatever a person took note of.
   */
  held(
    standings: readonly ProfitState[],
    ofAll = standings,
  ): {
    readonly dayLosses: readonly DayLoss[];
    readonly heldDrawdown: Drawdown | undefined;
    readonly drawdown: Drawdown | undefined;
  } {
    return {
      dayLosses: [...this.caps.keys()].flatMap((into) => this.lostIn(into, standings) ?? []),
      heldDrawdown: this.worst(standings),
      drawdown: this.worst(ofAll, this.peak.highest),
    };
  }

  private worst(all: readonly ProfitState[], from?: PeakOf): Drawdown | undefined {
    const drawdowns = all.map((one) => this.fallen(one, all, from));
    return drawdowns.reduce<Drawdown | undefined>((worst, one) => (worst && worst.pct >= one.pct ? worst : one), undefined);
  }

  private dayLoss(standing: ProfitState): Trip | undefined {
    if (this.caps.size === 0) return undefined;
    const into = this.countedIn(standing.currency);
    const held = into === undefined ? undefined : this.lostIn(into, this.options.profit.standings());
    if (held === undefined || held.lost < held.limit) return undefined;
    const since = held.isResumed ? 'trading went on within this day' : 'the day began';
    return { reason: 'MAX_DAY_LOSS', why: `lost ${shown(held.lost)} ${into} since ${since}; risk.maxDayLoss is ${held.limit} ${into}` };
  }

  /** Undefined where no currency counts there. */
  private lostIn(into: string, standings: readonly ProfitState[]): DayLoss | undefined {
    const counted = standings.filter((one) => this.countedIn(one.currency) === into);
    if (counted.length === 0) return undefined;
    return {
      currency: into,
      lost: counted.reduce((sum, one) => sum - (this.worth(-one.dayLoss, one.currency, into) ?? 0), 0),
      limit: this.caps.get(into) ?? Number.POSITIVE_INFINITY,
      isResumed: counted.some((one) => this.options.profit.isResumed(one.currency)),
    };
  }

  private drawdown(standing: ProfitState): Trip | undefined {
    const limit = this.options.limits.maxDrawdownPct;
    if (limit === null) return undefined;
    const { amount, pct, currency } = this.fallen(standing, this.options.profit.standings());
    if (pct < limit) return undefined;
    const why = `${shown(amount)} ${currency} below the peak, ${shown(pct)} %; risk.maxDrawdownPct is ${limit}`;
    return { reason: 'MAX_DRAWDOWN', why };
  }

  /** Of all currencies together that there are rates for, else of the one alone. */
  private fallen(standing: ProfitState, all: readonly ProfitState[], from?: PeakOf): Drawdown {
    const { capital, currency: into } = this.options;
    const together = all.length < 2 ? undefined : this.peak.at(all, from);
    if (!together?.of.includes(standing.currency)) return this.alone(standing);
    const { peak, present, of } = together;
    const top = of.reduce((sum, one) => sum + (this.worth(capital(one), one, into) ?? 0), peak);
    return { amount: peak - present, pct: percentOf(peak - present, top), currency: into };
  }

  private alone({ belowPeak, peak, currency }: ProfitState): Drawdown {
    return { amount: belowPeak, pct: percentOf(belowPeak, this.options.capital(currency) + peak), currency };
  }

  /** Currency of the limit towards which losses in `currency` count; no rate is asked for where it has a limit of its own. */
  private countedIn(currency: Currency): string | undefined {
    if (this.caps.has(currency)) return currency;
    const cap = this.forOthers;
    return cap === null ? undefined : countedIn(cap, { amount: 1, currency }, (from, to, amount) => this.rate(from, to, amount))?.currency;
  }

  private worth(amount: number, from: string, to: string): number | undefined {
    if (from === to) return amount;
    const rate = this.options.rate(from, to, amount);
    return rate === undefined ? undefined : amount * rate;
  }

  private rate(from: string, to: string, amount: number): Decimal | undefined {
    const rate = this.options.rate(from, to, amount);
    return rate === undefined ? undefined : decimalOf(rate);
  }
}

const percentOf = (part: number, whole: number): number => (whole > 0 ? (part / whole) * 100 : 0);

const shown = (amount: number): string => String(Math.round(amount * 100) / 100);

/** Counts consecutive losing closes, per strategy (whose openings then pause) and over all strategies. */
export class LossStreaks {
  private readonly max: number | null;
  private readonly maxOfAll: number | null;
  private readonly cooldownMs: Millis;
  private readonly runs = new Map<StrategyId, { losses: number; until: Millis }>();
  private ofAll = 0;
  private reached: number | null = null;

  constructor(options: { readonly max: number | null; readonly maxOfAll: number | null; readonly cooldownMs: Millis }) {
    this.max = options.max;
    this.maxOfAll = options.maxOfAll;
    this.cooldownMs = options.cooldownMs;
  }

  /** Takes over the closes of earlier runs. A limit that they reached over all strategies was latched in that run. */
  restore({ losses, lossesOfAll }: Pick<PastBooks, 'losses' | 'lossesOfAll'>): void {
    const { max, maxOfAll, cooldownMs } = this;
    if (maxOfAll !== null) this.ofAll = lossesOfAll % maxOfAll;
    if (max === null) return;
    for (const [strategy, run] of Object.entries(losses)) {
      const reachedAt = run.reachedAt[max - 1];
      this.runs.set(strategyId(strategy), { losses: run.losses % max, until: reachedAt === undefined ? 0 : reachedAt + cooldownMs });
    }
  }

  /** Notes a fill, before its book has it: what was closed of a position has won or lost. */
  filling(strategy: StrategyId, book: Book, { fill, at }: { readonly fill: Fill; readonly at: Millis }): void {
    const result = this.max === null && this.maxOfAll === null ? undefined : closeResult(book, fill);
    if (result === undefined) return;
    this.countOfAll(result.isNegative());
    if (this.max === null) return;
    const run = this.runs.get(strategy) ?? { losses: 0, until: 0 };
    const losses = result.isNegative() ? run.losses + 1 : 0;
    const over = losses >= this.max;
    this.runs.set(strategy, { losses: over ? 0 : losses, until: over ? at + this.cooldownMs : run.until });
  }

  /** The count over all strategies, once, when it reaches its limit; it then starts at zero again. */
  takeReached(): number | null {
    const { reached } = this;
    this.reached = null;
    return reached;
  }

  private countOfAll(lost: boolean): void {
    this.ofAll = lost ? this.ofAll + 1 : 0;
    if (this.maxOfAll === null || this.ofAll < this.maxOfAll) return;
    this.reached = this.ofAll;
    this.ofAll = 0;
  }

  leftMs(strategy: StrategyId, now: Millis): Millis {
    return Math.max(0, (this.runs.get(strategy)?.until ?? 0) - now);
  }

  /** A person has taken note of the losses. */
  resetBaselines(): void {
    this.runs.clear();
    this.ofAll = 0;
    this.reached = null;
  }
}

/** How often measures are journaled while they change. */
const EVERY_MS = 60_000;

/** Journals the state of profit once a minute while it changes; a restart continues from there. */
export class MeasuredRows {
  private readonly log: DecisionLog;
  private readonly profit: ProfitTrack;
  private readonly peak: AccountPeak;
  private text = '';
  private currencies = 0;
  private at: Millis = Number.NEGATIVE_INFINITY;
  /** Whether the measures differed from the text when they were compared last. */
  private compared: { readonly changes: number; readonly differ: boolean } | undefined;

  constructor(options: { readonly log: DecisionLog; readonly profit: ProfitTrack; readonly peak: AccountPeak }) {
    this.log = options.log;
    this.profit = options.profit;
    this.peak = options.peak;
  }

  /** Continues from the last row of an earlier run. */
  restore(past: PastProfit | null): void {
    this.text = JSON.stringify(past);
    this.compared = undefined;
  }

  /** Measures loss and drawdown from here on: a person has taken note of what was lost. */
  begin(at: Millis): void {
    this.profit.begin(at);
    this.peak.begin();
  }

  /** To be called with each quote of a product that is measured. */
  poll(at: Millis): void {
    if (at - this.at >= EVERY_MS || this.profit.measured !== this.currencies) this.journal(at);
  }

  journal(at: Millis): void {
    const { log, profit } = this;
    profit.turn(at);
    this.currencies = profit.measured;
    if (profit.measured === 0) return;
    this.at = at;
    if (!this.isChanged) return;
    const past = this.past();
    this.text = JSON.stringify(past);
    this.compared = undefined;
    log.defer(log.make('measured', past));
  }

  /** True while no quote writes a row before `dueAt`, unless it changes a measure. */
  get isSettled(): boolean {
    return this.profit.measured > 0 && this.profit.measured === this.currencies;
  }

  /** Time of the next check for changed measures. */
  get dueAt(): Millis {
    return this.at + EVERY_MS;
  }

  /** Time of the check after one at `at`. */
  after(at: Millis): Millis {
    return at + EVERY_MS;
  }

  /** True where the present measures are not those that were journaled last. */
  get isChanged(): boolean {
    const changes = this.profit.changes + this.peak.changes;
    if (this.compared?.changes !== changes) this.compared = { changes, differ: JSON.stringify(this.past()) !== this.text };
    return this.compared.differ;
  }

  private past(): PastProfit {
    const together = this.peak.past();
    return { ...this.profit.past(), ...(together && { together }) };
  }

  /** Skips the check of a quote, which would find no change. */
  passed(at: Millis): void {
    if (at >= this.dueAt) this.at = at;
  }
}
