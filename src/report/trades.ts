import type { Millis } from '#domain/names.ts';
import type { PriceColumns, QuoteColumns } from '#domain/quote-columns.ts';
import type { BookReport, Holding } from './books.ts';
import { averageEntry } from './books.ts';
import { largestOf } from './equity/holdings.ts';
import { Rates } from './equity/rates.ts';
import { type Excursion, Excursions, type Held } from './metrics/excursions.ts';

/** A round trip in a report, with money in the report's currency. */
export interface ReportedTrade extends Held {
  readonly strategy: string;
  readonly tag: string | null;
  /** What the strategy, or a rule of `exits`, said when it was closed. */
  readonly exitReason: string;
  readonly entryOrder: string;
  readonly exitOrder: string;
  readonly fees: number;
  /** Profit as a share of the stake. */
  readonly return: number | null;
  readonly excursion: Excursion | null;
}

/** A position that is open at the end: size in base currency, prices and profit in quote currency. */
export interface OpenPosition {
  readonly strategy: string;
  readonly product: string;
  readonly size: number;
  readonly baseCcy: string;
  readonly quoteCcy: string;
  readonly average: number | null;
  readonly openedAt: Millis | null;
  /** Executable price at the end; null where no quote was recorded. */
  readonly price: number | null;
  /** In quote currency, before the fee of closing. */
  readonly unrealised: number | null;
}

/** Round trips with money in one currency, at the quotes of their ends; or a text on why that is not possible. */
export function reportedTrades(input: {
  readonly trades: BookReport['trades'];
  readonly columns: readonly QuoteColumns[];
  readonly currency: string;
  readonly whyOf: ReadonlyMap<string, string>;
}): readonly ReportedTrade[] | string {
  const { trades, columns, currency, whyOf } = input;
  const rates = new Rates(columns);
  const excursions = new Excursions(columns);
  const reported: ReportedTrade[] = [];
  for (const trade of trades) {
    const into = { currency: trade.currency, into: currency, at: trade.closedAt };
    const [profit, fees, stake] = [trade.profit, trade.fees, trade.entryPrice.times(trade.size)].map((one) =>
      rates.worth(one.toNumber(), into),
    );
    if (profit === undefined || fees === undefined || stake === undefined) {
      return `no recorded quote leads from ${trade.currency} to ${currency}`;
    }
    const held: Held = {
      product: trade.product,
      side: trade.side,
      openedAt: trade.openedAt,
      closedAt: trade.closedAt,
      size: trade.size.toNumber(),
      entryPrice: trade.entryPrice.toNumber(),
      exitPrice: trade.exitPrice.toNumber(),
      profit,
      stake,
    };
    reported.push({
      ...held,
      strategy: trade.book,
      tag: trade.tag,
      exitReason: whyOf.get(trade.exitOrder) ?? '-',
      entryOrder: trade.entryOrder,
      exitOrder: trade.exitOrder,
      fees,
      return: stake > 0 ? profit / stake : null,
      excursion: excursions.of(held) ?? null,
    });
  }
  return reported;
}

/** Open positions at the end, at executable prices. */
export function openPositions(holdings: readonly Holding[], columns: readonly PriceColumns[], at: Millis): readonly OpenPosition[] {
  const rates = new Rates(columns);
  return holdings.map(({ book, product, size: exact, baseCcy, quoteCcy, lots }): OpenPosition => {
    const size = exact.toNumber();
    const largest = largestOf(holdings.filter((one) => one.product === product).map((one) => ({ size: one.size.toNumber() })));
    const price = rates.price(product, size < 0 ? -largest : largest, at);
    const cost = lots.reduce((sum, { cash }) => sum + cash.toNumber(), 0);
    return {
      strategy: book,
      product,
      size,
      baseCcy,
      quoteCcy,
      average: averageEntry(lots)?.toNumber() ?? null,
      openedAt: lots[0]?.openedAt ?? null,
      price: price ?? null,
      unrealised: price === undefined ? null : size * price + cost,
    };
  });
}

/** Round trips of one kind together. */
export interface TradeGroup {
  readonly group: string;
  readonly trades: number;
  readonly won: number;
  readonly profit: number;
  readonly fees: number;
  readonly averageReturn: number | null;
}

/** Round trips by what `of` says of them, the most profitable first. */
export function grouped(trades: readonly ReportedTrade[], of: (trade: ReportedTrade) => string): readonly TradeGroup[] {
  const groups = new Map<string, ReportedTrade[]>();
  for (const trade of trades) {
    const group = groups.get(of(trade));
    if (group) group.push(trade);
    else groups.set(of(trade), [trade]);
  }
  const rows = [...groups].map(([group, members]): TradeGroup => {
    const returns = members.flatMap((one) => (one.return === null ? [] : [one.return]));
    return {
      group,
      trades: members.length,
      won: members.filter(({ profit }) => profit > 0).length,
      profit: members.reduce((sum, { profit }) => sum + profit, 0),
      fees: members.reduce((sum, { fees }) => sum + fees, 0),
      averageReturn: returns.length === 0 ? null : returns.reduce((sum, one) => sum + one, 0) / returns.length,
    };
  });
  return rows.sort((a, b) => b.profit - a.profit);
}
