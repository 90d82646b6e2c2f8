import { type Booked, bookedAfter } from '#adapters/journal/booked.ts';
import type { LedgerRow } from '#adapters/journal/paging.ts';
import type { JournalReader } from '#adapters/journal/reader.ts';
import { type Decimal, ZERO } from '#domain/decimal.ts';
import type { PastFill } from '#domain/event.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { BooksOfFills, type SizeCorrection, sizeCorrections, type Trade } from '#report/books.ts';
import type { DayProfit } from '#server/page/history-view.ts';
import type { ClosedProfit, HoldingView } from '#server/page/past-view.ts';

/** A fill with the profit of what it closed; null if it closed nothing. */
interface SeenFill extends PastFill {
  readonly closed: ClosedProfit | null;
}

interface Tally {
  profit: number;
  trades: number;
  won: number;
}

/** Round trips of all runs with profit by order and by day. Reads the ledger once, then only new entries. */
export class PastTrades {
  private readonly journal: JournalReader;
  private readonly books = new BooksOfFills();
  private readonly found: Trade[] = [];
  private readonly seen: SeenFill[] = [];
  private readonly rows: LedgerRow[] = [];
  private readonly corrected: SizeCorrection[] = [];
  private readonly byOrder = new Map<string, ClosedProfit>();
  private readonly byDay = new Map<string, Map<string, Tally>>();
  private readonly byStrategy = new Map<string, Map<string, Tally>>();
  private entry = 0;

  constructor(journal: JournalReader) {
    this.journal = journal;
  }

  /** Reads what was booked since. */
  readOn(): this {
    const { fills, ledger } = this.journal.named((database) => bookedAfter(database, this.entry));
    this.entry = ledger.at(-1)?.entry_id ?? this.entry;
    for (const row of ledger) this.rows.push(row);
    const corrections = sizeCorrections(ledger);
    this.corrected.push(...corrections);
    for (const trade of this.books.take(fills, corrections)) this.add(trade);
    for (const fill of fills) this.seen.push({ ...fill, closed: this.closedBy(fill.orderId) });
    for (const { at, kind, currency, amount } of ledger) {
      if (kind === 'financing') tallyIn(this.byDay, at.slice(0, 10), currency).profit += Number(amount);
    }
    return this;
  }

  /** In the order in which they ended. */
  get trades(): readonly Trade[] {
    return this.found;
  }

  /** Every execution, in order. */
  get fills(): readonly SeenFill[] {
    return this.seen;
  }

  /** Everything that was booked, in order. */
  get booked(): Booked {
    return { fills: this.seen, ledger: this.rows };
  }

  /** Every correction of a position, in order. */
  get corrections(): readonly SizeCorrection[] {
    return this.corrected;
  }

  /** Entry fees of open lots since a time, by quote currency. */
  openFees(from: Millis): ReadonlyMap<string, Decimal> {
    const sums = new Map<string, Decimal>();
    for (const { quoteCcy, lots } of this.books.holdings([])) {
      const own = lots.filter(({ openedAt }) => openedAt >= from);
      for (const { fees } of own) sums.set(quoteCcy, (sums.get(quoteCcy) ?? ZERO).plus(fees));
    }
    return sums;
  }

  /** The position and cost of each book by its fills. */
  held(): readonly HoldingView[] {
    return this.books.holdings([]).map(({ book, product, size, lots }) => {
      const cost = lots.reduce((sum, { cash }) => sum.minus(cash), ZERO);
      return { book, product, size: size.toString(), cost: cost.toNumber() };
    });
  }

  /** The profit of an order by what it closed; null if it closed nothing. */
  closedBy(order: string | null): ClosedProfit | null {
    return (order === null ? undefined : this.byOrder.get(order)) ?? null;
  }

  /** Profit of each day (UTC) with a close or financing, in time order, one entry per currency. */
  days(): readonly DayProfit[] {
    const days = [...this.byDay].sort(([a], [b]) => (a < b ? -1 : 1));
    return days.flatMap(([day, tallies]) => [...tallies].map(([currency, tally]) => ({ day, currency, ...tally })));
  }

  /** What a strategy closed on the day of an instant. */
  closedOn(strategy: string, at: Millis): { readonly profit: number; readonly trades: number } {
    const tallies = [...(this.byStrategy.get(`${isoTime(at).slice(0, 10)} ${strategy}`)?.values() ?? [])];
    return tallies.reduce((sum, { profit, trades }) => ({ profit: sum.profit + profit, trades: sum.trades + trades }), {
      profit: 0,
      trades: 0,
    });
  }

  private add(trade: Trade): void {
    const { currency, closedAt, exitOrder, book } = trade;
    const profit = trade.profit.toNumber();
    const day = isoTime(closedAt).slice(0, 10);
    this.found.push(trade);
    this.byOrder.set(exitOrder, { profit: (this.byOrder.get(exitOrder)?.profit ?? 0) + profit, currency });
    for (const tally of [tallyIn(this.byDay, day, currency), tallyIn(this.byStrategy, `${day} ${book}`, currency)]) {
      tally.profit += profit;
      tally.trades += 1;
      tally.won += profit > 0 ? 1 : 0;
    }
  }
}

function tallyIn(groups: Map<string, Map<string, Tally>>, group: string, currency: string): Tally {
  const tallies = groups.get(group) ?? new Map<string, Tally>();
  groups.set(group, tallies);
  const tally = tallies.get(currency) ?? { profit: 0, trades: 0, won: 0 };
  tallies.set(currency, tally);
  return tally;
}
