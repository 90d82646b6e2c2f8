import type { DecisionLog } from '#core/decisions/decision-log.ts';
import type { Books } from '#core/portfolio/books.ts';
import type { RiskMonitor } from '#core/risk/risk-monitor.ts';
import { decimalOf } from '#domain/decimal.ts';
import type { BookedEntry } from '#domain/decision.ts';
import { COUNTS_FROM_HERE, type FinancingRules, type SwapRate } from '#domain/financing.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { isOfWrongClock } from '#domain/schedule.ts';

interface FinancingOptions {
  /** Null or absent where nothing is financed. */
  readonly financing?: FinancingRules | null;
  readonly log: DecisionLog;
  readonly books: Books;
  readonly monitor: Pick<RiskMonitor, 'priced' | 'financed'>;
  /** Next time of a cron expression in a zone. */
  readonly cronNext: (expression: string, after: Millis, timezone?: string) => Millis | undefined;
  /** Engine time runs `work` after so long. */
  readonly after: (delayMs: Millis, work: () => void) => unknown;
}

const WEEKDAYS = { mon: 1, tue: 2, wed: 3, thu: 4, fri: 5 } as const;
const PLACES = 8;
const DAYS_A_YEAR = 365;

/**
 * Books what holding positions over a roll costs or brings, at engine time. Each booking says up to when rolls are dealt with,
 * so that a restart books those that fell due in between once: the positions are those that were held.
 */
export class Financing {
  private readonly options: FinancingOptions;

  constructor(options: FinancingOptions) {
    this.options = options;
  }

  /**
   * The run begins. `upTo`: the last time that an earlier run has dealt with; without it rolls count from now on. `isRoll`: it was a roll, and
   * its date has no second one, wherever the roll is moved.
   */
  start(upTo: Millis | null, isRoll = false): void {
    const { financing: rules, log } = this.options;
    if (!rules || rules.rates.length === 0) return;
    const isNew = upTo === null || isOfWrongClock(upTo, log.now);
    const midnight = isRoll && !isNew ? this.options.cronNext('0 0 * * *', upTo, rules.timezone) : undefined;
    let since = isNew ? log.now : midnight === undefined ? upTo : midnight - 1;
    for (let roll = this.nextRoll(rules, since); roll !== undefined && roll <= log.now; roll = this.nextRoll(rules, since)) {
      this.roll(rules, roll);
      since = roll;
    }
    if (isNew) this.book([], log.now, COUNTS_FROM_HERE);
    this.await(rules, since);
  }

  /** A clock that was set back while the process was down brings no roll a second time. */
  private await(rules: FinancingRules, since: Millis): void {
    const roll = this.nextRoll(rules, since);
    if (roll === undefined) return;
    this.options.after(roll - this.options.log.now, () => {
      this.roll(rules, roll);
      this.await(rules, roll);
    });
  }

  private nextRoll(rules: FinancingRules, after: Millis): Millis | undefined {
    return this.options.cronNext(cronOf(rules, rules.triple === 'none' ? '*' : '1-5'), after, rules.timezone);
  }

  private roll(rules: FinancingRules, at: Millis): void {
    const { triple, timezone } = rules;
    const isTriple = triple !== 'none' && this.options.cronNext(cronOf(rules, String(WEEKDAYS[triple])), at - 1, timezone) === at;
    const days = isTriple ? 3 : 1;
    const { books, monitor } = this.options;
    const entries = [...books.positions()].flatMap(({ strategy, product, size }): BookedEntry[] => {
      const { currency, price: closing } = monitor.priced(product, size.toNumber());
      if (size.isZero() || currency === undefined) return [];
      const rate = rateIn(rules.rates, { product, currency, date: isoTime(at).slice(0, 10) });
      if (!rate) return [];
      const book = books.book(strategy, product);
      const price = closing === undefined ? book.entry : decimalOf(closing);
      const percent = decimalOf(size.isNegative() ? rate.short : rate.long).div(rate.per === 'year' ? DAYS_A_YEAR : 1);
      const amount = size.abs().times(price).times(percent).times(days).div(100).toDecimalPlaces(PLACES);
      if (amount.isZero()) return [];
      book.move(amount);
      monitor.financed({ strategy, product, currency, amount });
      return [{ kind: 'financing', book: strategy, product, currency, amount: amount.toString() }];
    });
    this.book(entries, at, `roll of ${isoTime(at)}, ${days === 1 ? '1 day' : `${days} days`}`);
  }

  private book(entries: readonly BookedEntry[], upTo: Millis, why: string): void {
    const { log } = this.options;
    log.defer(log.make('booked', { who: 'kairos', why, entries, upTo: isoTime(upTo) }));
  }
}

function cronOf({ time }: FinancingRules, weekdays: string): string {
  const [hour, minute] = time.split(':');
  return `${Number(minute)} ${Number(hour)} * * ${weekdays}`;
}

/** The rate in force on a date: a product's own before its quote currency's, the latest of each. */
function rateIn(
  rates: readonly SwapRate[],
  of: { readonly product: string; readonly currency: string; readonly date: string },
): SwapRate | undefined {
  const inForce = rates.filter(({ from }) => from === null || from <= of.date);
  const latest = (known: readonly SwapRate[]) =>
    known.reduce<SwapRate | undefined>(
      (best, one) => (best === undefined || (one.from ?? '') >= (best.from ?? '') ? one : best),
      undefined,
    );
  return (
    latest(inForce.filter((rate) => 'product' in rate.of && rate.of.product === of.product)) ??
    latest(inForce.filter((rate) => 'currency' in rate.of && rate.of.currency === of.currency))
  );
}
