import type { Currency } from '#domain/names.ts';
import type { PastPeak, PeakOf } from '#domain/past-risk.ts';
import type { ProfitState } from './profit-state.ts';

/** What profits in several currencies come to together, in the account's. */
interface Together {
  readonly present: number;
  /** The highest so far, never below `present`. */
  readonly peak: number;
  /** The currencies that are in it. */
  readonly of: readonly Currency[];
}

const NONE: PeakOf = { peak: 0, of: [] };

interface AccountPeakOptions {
  /** That of the account. */
  readonly currency: string;
  /** What an amount of one is worth in the other, however old the quotes are; undefined without any. */
  readonly worth: (amount: number, from: string, to: string) => number | undefined;
}

/** The highest that the profits of all currencies came to at one time, at the rates of that time: what one lost while another won is no drawdown. */
export class AccountPeak {
  private readonly options: AccountPeakOptions;
  private now: PeakOf = NONE;
  /** The highest of all, where a person took note of it and it was not reached since. */
  private before: PeakOf | undefined;
  /** Counts changes: while it stands, `past` says the same. */
  changes = 0;

  constructor(options: AccountPeakOptions) {
    this.options = options;
  }

  /** The highest of all, whatever a person took note of. */
  get highest(): PeakOf {
    return this.before ?? this.now;
  }

  /** Where all stand together now; undefined while one that is in the peak has no measure or no rate. A currency that is new adds its own peak. */
  at(standings: readonly ProfitState[], from: PeakOf = this.now): Together | undefined {
    const of: Currency[] = [];
    let { peak } = from;
    let present = 0;
    let known = 0;
    for (const one of standings) {
      const { currency, worth } = this.options;
      const made = worth(one.peak - one.belowPeak, one.currency, currency);
      if (made === undefined) continue;
      of.push(one.currency);
      present += made;
      if (from.of.includes(one.currency)) known += 1;
      else peak += worth(one.peak, one.currency, currency) ?? 0;
    }
    return known < from.of.length || of.length === 0 ? undefined : { present, peak: Math.max(peak, present), of };
  }

  /** Profit has changed. */
  see(standings: readonly ProfitState[]): void {
    const together = this.at(standings);
    if (!together || (together.peak === this.now.peak && together.of.length === this.now.of.length)) return;
    const { peak, of } = together;
    this.now = { peak, of };
    if (this.before && peak >= this.before.peak && of.length >= this.before.of.length) this.before = undefined;
    this.changes += 1;
  }

  /** Measures from here on: a person has taken note of what was lost. */
  begin(): void {
    if (this.now.of.length > 1 && (this.before === undefined || this.now.peak > this.before.peak)) this.before = this.now;
    this.now = NONE;
    this.changes += 1;
  }

  /** Takes over what an earlier run measured in the same currency. */
  restore(past: PastPeak | undefined): void {
    if (past?.currency !== this.options.currency) return;
    this.now = { peak: past.peak, of: past.of };
    this.before = past.before;
    this.changes += 1;
  }

  /** Absent while fewer than two currencies are in it: one says its own. */
  past(): PastPeak | undefined {
    if (this.now.of.length < 2 && !this.before) return undefined;
    return { currency: this.options.currency, ...this.now, ...(this.before && { before: this.before }) };
  }
}
