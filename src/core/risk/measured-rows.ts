import type { DecisionLog } from '#core/decisions/decision-log.ts';
import type { AccountPeak } from '#core/portfolio/account-peak.ts';
import type { ProfitTrack } from '#core/portfolio/profit-track.ts';
import type { Millis } from '#domain/names.ts';
import type { PastProfit } from '#domain/past-risk.ts';

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
