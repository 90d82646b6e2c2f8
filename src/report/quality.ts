import { figureAt } from '#domain/figure-at.ts';
import { Cadence } from '#domain/freshness.ts';
import { oncePer } from '#domain/once-per.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import type { OrderHistory } from './order-history.ts';
import type { OrderQuote } from './order-quotes.ts';

/** How reliable the fills of a run are. */
export interface FillQuality {
  readonly fills: number;
  /** Filled on a recorded quote of that lane, at its price and size. */
  readonly exact: number;
  /** Fills before the quote of an earlier fill of the product had expired: a real market might have moved. */
  readonly crowded: number;
}

/** `modelled`: orders that a backtest filled by a model, because their size was not recorded. */
export function fillQuality(
  orders: readonly OrderHistory[],
  quotes: ReadonlyMap<string, OrderQuote>,
  modelled: ReadonlySet<string>,
): FillQuality {
  const diesAt = new Map<string, number>();
  const byTime = orders.filter(({ fill }) => fill !== null).sort((a, b) => (a.filledAt ?? 0) - (b.filledAt ?? 0));
  let [exact, crowded] = [0, 0];
  for (const { order, fill, filledAt } of byTime) {
    const quote = quotes.get(order.id);
    const at = filledAt ?? order.intentAt;
    if (quote && fill && !modelled.has(order.id)) {
      const side = order.side === 'buy' ? quote.columns.buy : quote.columns.sell;
      if (Number(fill.price) === side.price[quote.row] && near(Number(fill.size), side.size[quote.row])) exact += 1;
    }
    const before = diesAt.get(order.product) ?? Number.NEGATIVE_INFINITY;
    if (at <= before) crowded += 1;
    diesAt.set(order.product, Math.max(before, order.validUntil));
  }
  return { fills: byTime.length, exact, crowded };
}

const near = (size: number, quoted: number | undefined): boolean =>
  quoted !== undefined && Math.abs(size - quoted) <= 1e-9 * Math.abs(quoted);

/** Quotes of a run. */
export interface QuoteCounts {
  readonly seen: number;
  /** Replaced by a newer one before their turn; null where they came without numbers. */
  readonly replaced: number | null;
  /** Pauses of a lane over 2 s, and over three times what 99 of 100 of its pauses are shorter than. */
  readonly silences: number;
}

/** Counts quotes, those without a number, and silences over all lanes. */
export function quotesSeen(columns: readonly QuoteColumns[]): QuoteCounts {
  let [seen, unnumbered, silences] = [0, 0, 0];
  for (const lane of columns) {
    const own = seenOf(lane);
    seen += lane.length;
    unnumbered += own.unnumbered;
    silences += own.silences;
  }
  return { seen, replaced: unnumbered === seen ? null : unnumbered, silences };
}

interface LaneSeen {
  readonly unnumbered: number;
  readonly silences: number;
}

/** Many reports are made of the same quotes. */
const seenOf = oncePer((lane: QuoteColumns): LaneSeen => {
  const { length, n, at, line } = lane;
  let [unnumbered, silences] = [0, 0];
  const cadence = new Cadence();
  // Between two recordings nothing was silent: lines are counted anew in each.
  const pauseBefore = (row: number): number =>
    row === 0 || figureAt(line, row) < figureAt(line, row - 1) ? 0 : figureAt(at, row) - figureAt(at, row - 1);
  for (let row = 1; row < length; row += 1) cadence.add(pauseBefore(row));
  const { rareMs } = cadence;
  for (let row = 0; row < length; row += 1) {
    if (Number.isNaN(n[row])) unnumbered += 1;
    if (pauseBefore(row) > rareMs) silences += 1;
  }
  return { unnumbered, silences };
});
