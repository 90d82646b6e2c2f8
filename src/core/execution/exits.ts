import type { DecisionLog } from '#core/decisions/decision-log.ts';
import type { Book } from '#core/portfolio/books.ts';
import { canBeOrdered, isDust } from '#core/portfolio/valuation.ts';
import { type Decimal, decimalOf } from '#domain/decimal.ts';
import type { ExitDetail } from '#domain/decision.ts';
import type { PastExit } from '#domain/event.ts';
import type { Intent } from '#domain/intent.ts';
import { type Millis, type ProductCode, productCode, type StrategyId, strategyId } from '#domain/names.ts';
import type { Product } from '#domain/product.ts';
import type { Quote } from '#domain/quote.ts';
import type { QuoteColumns, RowRange } from '#domain/quote-columns.ts';
import { REASONS, type Reason } from '#domain/reasons.ts';
import type { PositionPeak } from '#domain/work-text.ts';
import { type ExitLevel, exitLevels } from './exit-levels.ts';

/** When a position is closed automatically. Percentages are of the average entry; null is off. */
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

/** A product in which a strategy's positions are watched. */
export interface WatchedPosition {
  readonly strategy: StrategyId;
  readonly product: ProductCode;
  readonly rules: ExitRules;
}

interface Watch extends WatchedPosition {
  /** Best closing price since the position was opened, or since the start of the run. */
  best: Peak | undefined;
  /** The best price that a row has, and when that was written. */
  journaled: { readonly best: Peak; readonly at: Millis } | undefined;
  /** The exit that is due, until the position is closed. */
  due: { readonly reason: Reason; readonly why: string } | undefined;
  /** Fills that built it, while its price makes it too small to close. */
  smallAt: number | undefined;
}

/** A price, the same as a double, and when its position was opened. */
interface Peak {
  readonly price: Decimal;
  readonly figure: number;
  readonly openedAt: Millis | undefined;
}

/**
 * Exits without code: watches positions at the closing side of each quote and says when one is due. What is due stays so
 * until the position is closed, over restarts too, and whatever becomes of its strategy meanwhile.
 */
export class Exits {
  /** Of each strategy. */
  private readonly watches: ReadonlyMap<StrategyId, readonly Watch[]>;
  private readonly log: DecisionLog;
  private readonly bookOf: (strategy: StrategyId, product: ProductCode) => Book;

  constructor(options: {
    readonly watched: readonly WatchedPosition[];
    readonly log: DecisionLog;
    readonly bookOf: (strategy: StrategyId, product: ProductCode) => Book;
  }) {
    const watches = options.watched.map(
      (one): Watch => ({ ...one, best: undefined, journaled: undefined, due: undefined, smallAt: undefined }),
    );
    this.watches = Map.groupBy(watches, ({ strategy }) => strategy);
    this.log = options.log;
    this.bookOf = options.bookOf;
  }

  /** Takes over what was due in an earlier run, where the position of then is still open. To be called once books are. */
  restore(past: readonly PastExit[]): void {
    for (const { strategy, product, at, reason } of past) {
      const watch = this.watchOf(strategyId(strategy), productCode(product));
      if (!watch) continue;
      const { openedAt = Number.POSITIVE_INFINITY } = this.bookOf(watch.strategy, watch.product);
      if (at >= openedAt) watch.due = { reason, why: 'due since before the restart' };
    }
  }

  /** Takes over the best prices of positions, so that the trailing stop of one that is still open goes on from where it was (I32). */
  restorePeaks(past: readonly PositionPeak[]): void {
    for (const { strategy, product, openedAt, price } of past) {
      const watch = this.watchOf(strategyId(strategy), productCode(product));
      if (!watch) continue;
      watch.best = peakOf(decimalOf(price), openedAt);
      watch.journaled = { best: watch.best, at: this.log.now };
    }
  }

  /** Journals the best prices that no row has yet: the run ends in good order. */
  stop(): void {
    for (const watch of [...this.watches.values()].flat()) this.keepPeak(watch, { isLast: true });
  }

  /** The strategy's position, at a quote of its product, held against its rules; the intent that closes it, where one is due. */
  check(strategy: StrategyId, quote: Quote, product: Product): Intent | undefined {
    const watch = this.watchOf(strategy, product.code);
    if (!watch) return undefined;
    const book = this.bookOf(watch.strategy, watch.product);
    if (isDust(book, product, quote)) {
      // What no price lets close is closed; what this one does not goes on where it was once the price rises.
      if (isDust(book, product)) forget(watch);
      else watch.smallAt ??= book.entries;
      return undefined;
    }
    // What was added to it was bought by one who held nothing.
    if (watch.smallAt !== undefined && watch.smallAt !== book.entries) forget(watch);
    watch.smallAt = undefined;
    if (!watch.due) this.judge(watch, book, quote);
    const { due } = watch;
    return due && closing(isShort(book) ? 'buy' : 'sell', due.why);
  }

  /** Where the exits of a strategy's position in a product stand at a quote; none while it holds nothing, or dust. */
  levels(strategy: StrategyId, product: Product, quote: Quote | undefined): readonly ExitLevel[] {
    const watch = this.watchOf(strategy, product.code);
    if (!watch) return [];
    const { rules, best: peak } = watch;
    const book = this.bookOf(strategy, product.code);
    if (isDust(book, product, quote)) return [];
    const average = book.averageFigure;
    const best = peak && peak.openedAt === book.openedAt ? peak.figure : average;
    return exitLevels(rules, { average, best, isShort: isShort(book), feePct: rules.net ? (quote?.feePercentage ?? 0) : 0 });
  }

  /** The first row of quotes of the product at which a check may change anything; the end of the span where none does. */
  lookAhead(strategy: StrategyId, columns: QuoteColumns, { span: [from, to], product }: { span: RowRange; product: Product }): number {
    const watch = this.watchOf(strategy, product.code);
    if (!watch) return to;
    const book = this.bookOf(watch.strategy, watch.product);
    const { rules, best, due, smallAt } = watch;
    if (isDust(book, product)) return best === undefined && due === undefined && smallAt === undefined ? to : from;
    const isKnown = due === undefined && smallAt === undefined && best !== undefined && best.openedAt === book.openedAt;
    const short = isShort(book);
    const actsAt = Math.min(heldTo(rules, book), rowDueAt(watch));
    const prices = short ? columns.buy.price : columns.sell.price;
    for (let row = from; row < to; row++) {
      const price = prices[row] ?? Number.NaN;
      if (!canBeOrdered(book.size, product, { price, figure: book.sizeFigure })) continue;
      if (!isKnown) return row;
      const feePct = rules.net ? (columns.feePercentage[row] ?? Number.NaN) : 0;
      if ((columns.at[row] ?? 0) >= actsAt || !isClearlyQuiet(watch, book, { price, short, feePct })) return row;
    }
    return to;
  }

  private watchOf(strategy: StrategyId, product: ProductCode): Watch | undefined {
    return this.watches.get(strategy)?.find((watch) => watch.product === product);
  }

  private judge(watch: Watch, book: Book, quote: Quote): void {
    const { rules, strategy, product } = watch;
    const short = isShort(book);
    const feePct = rules.net ? quote.feePercentage : 0;
    const closesAt = short ? quote.buy.price : quote.sell.price;
    if (watch.best?.openedAt !== book.openedAt) {
      watch.best = undefined;
      watch.journaled = undefined;
    }
    const actsAt = Math.min(heldTo(rules, book), rowDueAt(watch));
    if (this.log.now < actsAt && isClearlyQuiet(watch, book, { price: closesAt, short, feePct })) return;
    const price = decimalOf(closesAt);
    const before = watch.best ?? peakOf(book.average, book.openedAt);
    const isBetter = short ? price.lt(before.price) : price.gt(before.price);
    watch.best = isBetter ? peakOf(price, book.openedAt) : before;
    this.keepPeak(watch, { isLast: false });
    const best = watch.best.price;
    const found = firstDue(rules, {
      gainPct: gainPct({ average: book.average, price, short, feePct }),
      bestPct: gainPct({ average: book.average, price: best, short, feePct }),
      backPct: best
        .minus(price)
        .div(best)
        .times(short ? -100 : 100),
      heldMs: this.log.now - (book.openedAt ?? this.log.now),
    });
    if (!found) return;
    const { reason, figure, limit } = found;
    watch.due = { reason, why: `${REASONS[reason]}: ${figure}, set to ${limit}` };
    const detail: ExitDetail = { figure, limit, price: price.toString(), average: book.average.toString(), size: book.size.toString() };
    this.log.defer(this.log.make('exit', detail, { strategy, product, reason, quoteId: quote.id }));
  }

  /** Journals a best price that a trailing stop needs after a restart, once it moves the stop by a tenth of its distance or is due. */
  private keepPeak(watch: Watch, { isLast }: { readonly isLast: boolean }): void {
    const { best, journaled, strategy, product } = watch;
    const { trailingPct } = watch.rules;
    if (trailingPct === null || best?.openedAt === undefined || best === journaled?.best) return;
    if (!isLast && journaled !== undefined && this.log.now < rowDueAt(watch)) {
      const before = journaled.best.price;
      if (best.price.minus(before).abs().div(before).times(1000).lt(trailingPct)) return;
    }
    watch.journaled = { best, at: this.log.now };
    this.log.defer(this.log.make('peak', { price: best.price.toString(), openedAt: best.openedAt }, { strategy, product }));
  }
}

function forget(watch: Watch): void {
  watch.best = undefined;
  watch.due = undefined;
  watch.smallAt = undefined;
}

const PEAK_EVERY_MS = 10_000;

/** When a row of the best price is due because of the time alone; never where there is one. */
const rowDueAt = ({ best, journaled }: Watch): Millis =>
  journaled === undefined || journaled.best === best ? Number.POSITIVE_INFINITY : journaled.at + PEAK_EVERY_MS;

/** When a position has been held for as long as its rules let it. */
const heldTo = ({ maxHoldSeconds }: ExitRules, { openedAt = Number.POSITIVE_INFINITY }: Book): Millis =>
  maxHoldSeconds === null ? Number.POSITIVE_INFINITY : openedAt + maxHoldSeconds * 1000;

const peakOf = (price: Decimal, openedAt: Millis | undefined): Peak => ({ price, figure: price.toNumber(), openedAt });

const isShort = ({ sizeFigure }: Book): boolean => sizeFigure < 0;

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
  if (best === undefined) return false;
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
