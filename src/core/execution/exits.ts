import type { DecisionLog } from '#core/decisions/decision-log.ts';
import type { Book } from '#core/portfolio/book.ts';
import { type Decimal, decimalOf } from '#domain/decimal.ts';
import type { ExitDetail } from '#domain/decision.ts';
import type { PastExit } from '#domain/event.ts';
import type { Intent } from '#domain/intent.ts';
import { type Millis, type ProductCode, type StrategyId, strategyId } from '#domain/names.ts';
import type { Product } from '#domain/product.ts';
import type { Quote } from '#domain/quote.ts';
import type { QuoteColumns, Rows } from '#domain/quote-columns.ts';
import { REASONS, type Reason } from '#domain/reasons.ts';
import type { PastPeak } from '#domain/work-text.ts';
import { type ExitLevel, exitLevels } from './exit-levels.ts';
import { canBeOrdered } from './sizing.ts';

/** When a position is closed automatically. Percentages are of the average entry price; null is off. */
export interface ExitRules {
  readonly takeProfitPct: number | null;
  readonly stopLossPct: number | null;
  /** How far the price may come back from the best one since the position was opened. */
  readonly trailingPct: number | null;
  /** Gain from which the trailing stop counts; null: from the start. */
  readonly activateAtPct: number | null;
  readonly maxHoldSeconds: number | null;
  /** Gains count after the fees of entry and exit, at the quote's rate. */
  readonly net: boolean;
}

/** A strategy whose positions in its product are watched. */
interface Watched {
  readonly strategy: StrategyId;
  readonly product: ProductCode;
  readonly rules: ExitRules;
}

interface Watch extends Watched {
  /** Best closing price since the position was opened, or since the start of the run. */
  best: Peak | undefined;
  bestOf: Millis | undefined;
  /** The best price that a row has, and when that was written. */
  journaled: { readonly best: Decimal; readonly at: Millis } | undefined;
  /** The exit that is due, until the position is closed. */
  due: { readonly reason: Reason; readonly why: string } | undefined;
}

/** A price, and the same as a double. */
interface Peak {
  readonly price: Decimal;
  readonly figure: number;
}

/**
 * Exits without code: watches positions at the closing side of each quote and says when one is due. What is due stays so
 * until the position is closed, over restarts too, and whatever becomes of its strategy meanwhile.
 */
export class Exits {
  private readonly watches: ReadonlyMap<StrategyId, Watch>;
  private readonly log: DecisionLog;
  private readonly bookOf: (strategy: StrategyId, product: ProductCode) => Book;

  constructor(options: {
    readonly watched: readonly Watched[];
    readonly log: DecisionLog;
    readonly bookOf: (strategy: StrategyId, product: ProductCode) => Book;
  }) {
    this.watches = new Map(
      options.watched.map((watched) => [
        watched.strategy,
        { ...watched, best: undefined, bestOf: undefined, journaled: undefined, due: undefined },
      ]),
    );
    this.log = options.log;
    this.bookOf = options.bookOf;
  }

  /** Takes over what was due in an earlier run, where the position of then is still open. To be called once books are. */
  restore(past: readonly PastExit[]): void {
    for (const { strategy, product, at, reason } of past) {
      const watch = this.watches.get(strategyId(strategy));
      const openedAt = watch?.product === product ? this.bookOf(watch.strategy, watch.product).openedAt : undefined;
      if (watch && openedAt !== undefined && at >= openedAt) watch.due = { reason, why: 'due since before the restart' };
    }
  }

  /** Takes over the best prices of positions that are still open, so that a trailing stop goes on from where it was (I32). */
  restorePeaks(past: readonly PastPeak[]): void {
    for (const { strategy, product, openedAt, price } of past) {
      const watch = this.watches.get(strategyId(strategy));
      if (watch?.product !== product || this.bookOf(watch.strategy, watch.product).openedAt !== openedAt) continue;
      watch.best = peakOf(decimalOf(price));
      watch.bestOf = openedAt;
      watch.journaled = { best: watch.best.price, at: this.log.now };
    }
  }

  /** Journals the best prices that no row has yet: the run ends in good order. */
  stop(): void {
    for (const watch of this.watches.values()) this.keepPeak(watch);
  }

  /** The strategy's position, at a quote of its product, held against its rules; the intent that closes it, where one is due. */
  check(strategy: StrategyId, quote: Quote, product: Product): Intent | undefined {
    const watch = this.watches.get(strategy);
    if (!watch) return undefined;
    const book = this.bookOf(watch.strategy, watch.product);
    if (book.size.isZero() || isDust(book, quote, product)) {
      watch.best = undefined;
      watch.due = undefined;
      return undefined;
    }
    if (!watch.due) this.judge(watch, book, quote);
    const { due } = watch;
    return due && closing(book.size.isNegative() ? 'buy' : 'sell', due.why);
  }

  /** Where the exits of a strategy's position stand; none while it holds nothing. `feePct`: what its quotes charge, in percent. */
  levels(strategy: StrategyId, feePct: number): readonly ExitLevel[] {
    const watch = this.watches.get(strategy);
    const book = watch && this.bookOf(watch.strategy, watch.product);
    if (!watch || !book || book.size.isZero()) return [];
    const average = book.average.toNumber();
    const best = watch.bestOf === book.openedAt ? (watch.best?.figure ?? average) : average;
    return exitLevels(watch.rules, { average, best, isShort: book.size.isNegative(), feePct: watch.rules.net ? feePct : 0 });
  }

  /** The first row of quotes of the product at which a check may change anything; the end of the span where none does. */
  lookAhead(strategy: StrategyId, columns: QuoteColumns, { span: [from, to], product }: { span: Rows; product: Product }): number {
    const watch = this.watches.get(strategy);
    if (!watch) return to;
    const book = this.bookOf(watch.strategy, watch.product);
    if (book.size.isZero()) return watch.best === undefined && watch.due === undefined ? to : from;
    const { rules, best, journaled } = watch;
    if (watch.due || best === undefined || watch.bestOf !== book.openedAt) return from;
    const short = book.sizeFigure < 0;
    const heldTo = rules.maxHoldSeconds === null ? Number.POSITIVE_INFINITY : (book.openedAt ?? 0) + rules.maxHoldSeconds * 1000;
    const rowAt = rules.trailingPct === null || !isPeakOf(watch) ? Number.POSITIVE_INFINITY : (journaled?.at ?? 0) + PEAK_EVERY_MS;
    const prices = short ? columns.buy.price : columns.sell.price;
    for (let row = from; row < to; row++) {
      const price = prices[row] ?? Number.NaN;
      const feePct = rules.net ? (columns.feePercentage[row] ?? Number.NaN) : 0;
      if ((columns.at[row] ?? 0) >= Math.min(heldTo, rowAt) || !isClearlyQuiet(watch, book, { price, short, feePct })) return row;
      if (!canBeOrdered(book.size, product, { price, figure: book.sizeFigure })) return row;
    }
    return to;
  }

  private judge(watch: Watch, book: Book, quote: Quote): void {
    const { rules, strategy, product } = watch;
    const short = book.sizeFigure < 0;
    const feePct = rules.net ? quote.feePercentage : 0;
    const closesAt = short ? quote.buy.price : quote.sell.price;
    const heldMs = this.log.now - (book.openedAt ?? this.log.now);
    if (watch.bestOf !== book.openedAt) {
      watch.best = undefined;
      watch.journaled = undefined;
      watch.bestOf = book.openedAt;
    }
    const isHeldLong = rules.maxHoldSeconds !== null && heldMs >= rules.maxHoldSeconds * 1000;
    if (!isHeldLong && !this.isRowLate(watch) && isClearlyQuiet(watch, book, { price: closesAt, short, feePct })) return;
    const price = decimalOf(closesAt);
    const before = watch.best?.price ?? book.average;
    const best = short === price.lt(before) ? price : before;
    if (best !== watch.best?.price) watch.best = peakOf(best);
    if (this.isPeakDue(watch, best)) this.keepPeak(watch);
    const found = firstDue(rules, {
      gainPct: gainPct({ average: book.average, price, short, feePct }),
      bestPct: gainPct({ average: book.average, price: best, short, feePct }),
      backPct: best
        .minus(price)
        .div(best)
        .times(short ? -100 : 100),
      heldMs,
    });
    if (!found) return;
    const { reason, figure, limit } = found;
    watch.due = { reason, why: `${REASONS[reason]}: ${figure}, set to ${limit}` };
    const detail: ExitDetail = { figure, limit, price: price.toString(), average: book.average.toString(), size: book.size.toString() };
    this.log.defer(this.log.make('exit', detail, { strategy, product, reason, quoteId: quote.id }));
  }

  /** A peak is worth a row when it moves the stop by a tenth of its distance, or after ten seconds. */
  private isPeakDue(watch: Watch, best: Decimal): boolean {
    const { rules, journaled } = watch;
    if (this.isRowLate(watch)) return true;
    if (rules.trailingPct === null || journaled === undefined || !isPeakOf(watch)) return false;
    return best
      .minus(journaled.best)
      .abs()
      .div(journaled.best)
      .times(100)
      .gte(rules.trailingPct / 10);
  }

  /** True where a peak that has no row yet is due for one because of the time alone. */
  private isRowLate(watch: Watch): boolean {
    const { rules, journaled } = watch;
    if (rules.trailingPct === null) return false;
    return (journaled === undefined || this.log.now - journaled.at >= PEAK_EVERY_MS) && isPeakOf(watch);
  }

  private keepPeak(watch: Watch): void {
    const { best, bestOf, rules, strategy, product } = watch;
    if (best === undefined || bestOf === undefined || rules.trailingPct === null || !isPeakOf(watch)) return;
    watch.journaled = { best: best.price, at: this.log.now };
    this.log.defer(this.log.make('peak', { price: best.price.toString(), openedAt: bestOf }, { strategy, product }));
  }
}

const PEAK_EVERY_MS = 10_000;

const isPeakOf = ({ journaled, best }: Watch): boolean =>
  best !== undefined && journaled?.best !== best.price && (journaled === undefined || !journaled.best.eq(best.price));

const peakOf = (price: Decimal): Peak => ({ price, figure: price.toNumber() });

/** A rest that no order can close counts as closed: it is named where it arises. */
function isDust({ size, sizeFigure: figure }: Book, { buy, sell }: Quote, product: Product): boolean {
  return !canBeOrdered(size, product, { price: figure < 0 ? buy.price : sell.price, figure });
}

/** How far percentages of doubles may err, in percentage points. */
const DOUBT_PCT = 1e-6;

/**
 * True where doubles leave no doubt that a quote changes nothing: no better price than the best one, and no rule near its
 * figure. Most quotes are like that; exact decimals look at the others.
 */
function isClearlyQuiet(
  { rules, best }: Watch,
  { averageFigure: average }: Book,
  at: { price: number; short: boolean; feePct: number },
): boolean {
  if (best === undefined || !(average > 0)) return false;
  const { price, short, feePct } = at;
  const { stopLossPct, takeProfitPct, trailingPct } = rules;
  const sign = short ? -100 : 100;
  const backPct = ((best.figure - price) / best.figure) * sign;
  const gainPct = ((price - average) / average) * sign - (price / average + 1) * feePct;
  return (
    backPct > DOUBT_PCT &&
    (trailingPct === null || backPct < trailingPct - DOUBT_PCT) &&
    (stopLossPct === null || gainPct > DOUBT_PCT - stopLossPct) &&
    (takeProfitPct === null || gainPct < takeProfitPct - DOUBT_PCT)
  );
}

interface Figures {
  readonly gainPct: Decimal;
  readonly bestPct: Decimal;
  /** How far the price is back from the best one, in percent of that. */
  readonly backPct: Decimal;
  readonly heldMs: Millis;
}

interface Due {
  readonly reason: Reason;
  readonly figure: string;
  readonly limit: string;
}

function firstDue(rules: ExitRules, { gainPct, bestPct, backPct, heldMs }: Figures): Due | undefined {
  const { stopLossPct, takeProfitPct, trailingPct, activateAtPct, maxHoldSeconds } = rules;
  const percent = (value: Decimal): string => `${value.toDecimalPlaces(6)} %`;
  if (stopLossPct !== null && gainPct.lte(-stopLossPct))
    return { reason: 'STOP_LOSS', figure: percent(gainPct), limit: `-${stopLossPct} %` };
  if (trailingPct !== null && (activateAtPct === null || bestPct.gte(activateAtPct)) && backPct.gte(trailingPct)) {
    return { reason: 'TRAILING_STOP', figure: `${percent(backPct)} back`, limit: `${trailingPct} %` };
  }
  if (takeProfitPct !== null && gainPct.gte(takeProfitPct))
    return { reason: 'TAKE_PROFIT', figure: percent(gainPct), limit: `${takeProfitPct} %` };
  if (maxHoldSeconds !== null && heldMs >= maxHoldSeconds * 1000) {
    return { reason: 'MAX_HOLD', figure: `held ${heldMs / 1000} s`, limit: `${maxHoldSeconds} s` };
  }
  return undefined;
}

/** Gain of closing at `price`, in percent of the average entry; `feePct` is taken from entry and exit alike. */
function gainPct(of: { average: Decimal; price: Decimal; short: boolean; feePct: number }): Decimal {
  const { average, price, short, feePct } = of;
  const gross = (short ? average.minus(price) : price.minus(average)).div(average).times(100);
  return gross.minus(price.div(average).plus(1).times(feePct));
}

function closing(side: 'buy' | 'sell', reason: string): Intent {
  return { kind: 'intent', side, size: { kind: 'position' }, reason, tag: 'exit', limit: null, within: null, on: null };
}
