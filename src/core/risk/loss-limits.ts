import { AccountPeak } from '#core/portfolio/account-peak.ts';
import type { ProfitState } from '#core/portfolio/profit-state.ts';
import type { ProfitTrack } from '#core/portfolio/profit-track.ts';
import { type Decimal, decimalOf } from '#domain/decimal.ts';
import type { Currency } from '#domain/names.ts';
import type { PeakOf } from '#domain/past-risk.ts';
import type { Reason } from '#domain/reasons.ts';
import { figuresForOthers, type Limits, type ValueCap } from './limits.ts';
import { countedIn } from './value-checks.ts';

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
