import type { Currency } from '#domain/names.ts';
import type { PastPeak } from '#domain/past-risk.ts';
import type { ProfitState } from './profit-state.ts';

/** What profits in several currencies come to together, in the account's. */
interface Together {
  readonly present: number;
  /** The highest so far, never below `present`. */
  readonly peak: number;
  /** The currencies that are in it. */
  readonly of: readonly Currency[];
}

interface AccountPeakOptions {
  /** That of the account. */
  readonly currency: string;
  /** What an amount of one is worth in the other, however old the quotes are; undefined without any. */
  readonly worth: (amount: number, from: string, to: string) => number | undefined;
}

/** The highest that the profits of all currencies came to at one time, at the rates of that time: what one lost while another won is no drawdown. */
export class AccountPeak {
  private readonly options: AccountPeakOptions;
  private peak = 0;
  private of: readonly Currency[] = [];
  /** Counts changes: while it stands, `past` says the same. */
  changes = 0;

  constructor(options: AccountPeakOptions) {
    this.options = options;
  }

  /** Where all stand together now; undefined while one that is in the peak has no measure or no rate. A currency that is new adds its own peak. */
  at(standings: readonly ProfitState[]): Together | undefined {
    const of: Currency[] = [];
    let { peak } = this;
    let present = 0;
    let known = 0;
    for (const one of standings) {
      const { currency, worth } = this.options;
      const made = worth(one.peak - one.belowPeak, one.currency, currency);
      if (made === undefined) continue;
      of.push(one.currency);
      present += made;
      if (this.of.includes(one.currency)) known += 1;
      else peak += worth(one.peak, one.currency, currency) ?? 0;
    }
    return known < this.of.length || of.length === 0 ? undefined : { present, peak: Math.max(peak, present), of };
  }

  /** Profit has changed. */
  see(standings: readonly ProfitState[]): void {
    const together = this.at(standings);
    if (!together || (together.peak === this.peak && together.of.length === this.of.length)) return;
    this.peak = together.peak;
    this.of = together.of;
    this.changes += 1;
  }

  /** Measures from here on: a person has taken note of what was lost. */
  begin(): void {
    this.peak = 0;
    this.of = [];
    this.changes += 1;
  }

  /** Takes over what an earlier run measured in the same currency. */
  restore(past: PastPeak | undefined): void {
    if (past?.currency !== this.options.currency) return;
    this.peak = past.peak;
    this.of = past.of;
    this.changes += 1;
  }

  /** Absent while fewer than two currencies are in it: one says its own. */
  past(): PastPeak | undefined {
    return this.of.length < 2 ? undefined : { currency: this.options.currency, peak: this.peak, of: this.of };
  }
}
