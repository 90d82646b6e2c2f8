import { type Decimal, decimalOf } from '#domain/decimal.ts';
import type { Millis } from '#domain/names.ts';
import { entryOf, unrealisedAt } from '#domain/position.ts';
import type { PriceColumns } from '#domain/quote-columns.ts';
import type { BookHolding, BookReport } from './books.ts';
import { largestOf } from './equity/holdings.ts';
import { RateTable } from './equity/rates.ts';
import { type Excursion, Excursions, type HeldTrip } from './metrics/excursions.ts';
import { RATE_MEND } from './no-rate.ts';

/** A round trip in a report. */
export interface ReportedTrade extends HeldTrip {
  /** Of its money: the report's, or the quote currency of its product where money cannot be had in one. */
  readonly currency: string;
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
  /** Of the lots that are open. */
  readonly entry: number | null;
  readonly openedAt: Millis | null;
  /** Executable price at the end; null where no quote was recorded. */
  readonly price: number | null;
  /** In quote currency, before the fee of closing. */
  readonly unrealised: number | null;
}

/** Round trips with money in one currency, at the quotes of their ends; each in its own where no quote leads from one of them to it. */
export function reportedTrades(input: {
  readonly trades: BookReport['trades'];
  readonly columns: readonly PriceColumns[];
  /** Lanes of amounts that were not recorded. */
  readonly modelled: readonly PriceColumns[];
  readonly currency: string;
  readonly whyOf: ReadonlyMap<string, string>;
}): readonly ReportedTrade[] {
  const { trades, columns, modelled, currency, whyOf } = input;
  const rates = new RateTable(columns);
  const isOne = trades.every((one) => rates.worth(1, { currency: one.currency, into: currency, at: one.closedAt }) !== undefined);
  const excursions = new Excursions([...columns, ...modelled]);
  const reported: ReportedTrade[] = [];
  for (const trade of trades) {
    const into = isOne ? currency : trade.currency;
    const worth = (amount: Decimal): number =>
      rates.worth(amount.toNumber(), { currency: trade.currency, into, at: trade.closedAt }) ?? Number.NaN;
    const [profit, fees, stake] = [worth(trade.profit), worth(trade.fees), worth(trade.entryPrice.times(trade.size))];
    const held: HeldTrip = {
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
      currency: into,
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
export function openPositions(holdings: readonly BookHolding[], columns: readonly PriceColumns[], at: Millis): readonly OpenPosition[] {
  const rates = new RateTable(columns);
  return holdings.map(({ book, product, size: exact, baseCcy, quoteCcy, lots }): OpenPosition => {
    const size = exact.toNumber();
    const largest = largestOf(holdings.filter((one) => one.product === product).map((one) => ({ size: one.size.toNumber() })));
    const price = rates.price(product, size < 0 ? -largest : largest, at);
    return {
      strategy: book,
      product,
      size,
      baseCcy,
      quoteCcy,
      entry: entryOf(lots)?.toNumber() ?? null,
      openedAt: lots[0]?.openedAt ?? null,
      price: price ?? null,
      unrealised: price === undefined ? null : unrealisedAt(lots, decimalOf(price)).toNumber(),
    };
  });
}

/** What open positions have won or lost, in one currency at the quotes of the end; undefined where one has no price, or no quote leads from there. */
export function openProfit(
  open: readonly Pick<OpenPosition, 'unrealised' | 'quoteCcy'>[],
  rates: RateTable,
  end: { readonly into: string; readonly at: Millis },
): number | undefined {
  const amounts = open.flatMap(({ unrealised, quoteCcy }) => (unrealised === null ? [] : [{ amount: unrealised, currency: quoteCcy }]));
  return amounts.length < open.length ? undefined : rates.worthTogether(amounts, end);
}

/** Why the money of round trips is not added up, as a sentence; undefined where it is in the report's currency. */
export function apartWords(trades: readonly Pick<ReportedTrade, 'currency'>[], currency: string): string | undefined {
  const own = [...new Set(trades.map((one) => one.currency))].filter((one) => one !== currency).sort();
  if (own.length === 0) return undefined;
  return `round trips are in ${own.join(' and ')}, each by itself: no recorded quote leads from there to ${currency}, the account's currency: ${RATE_MEND}`;
}

/** Round trips of one kind together. */
export interface TradeGroup {
  readonly group: string;
  /** Of its money. */
  readonly currency: string;
  readonly trades: number;
  readonly won: number;
  readonly profit: number;
  readonly fees: number;
  readonly averageReturn: number | null;
}

/** Round trips of a currency by what `of` says of them, the most profitable first. */
export function grouped(trades: readonly ReportedTrade[], of: (trade: ReportedTrade) => string): readonly TradeGroup[] {
  const byCurrency = [...Map.groupBy(trades, ({ currency }) => currency)];
  const groups = byCurrency.flatMap(([currency, own]) =>
    [...Map.groupBy(own, of)].map(([group, members]) => ({ group, currency, members })),
  );
  const rows = groups.map(({ group, currency, members }): TradeGroup => {
    const returns = members.flatMap((one) => (one.return === null ? [] : [one.return]));
    return {
      group,
      currency,
      trades: members.length,
      won: members.filter(({ profit }) => profit > 0).length,
      profit: members.reduce((sum, { profit }) => sum + profit, 0),
      fees: members.reduce((sum, { fees }) => sum + fees, 0),
      averageReturn: returns.length === 0 ? null : returns.reduce((sum, one) => sum + one, 0) / returns.length,
    };
  });
  return rows.sort((a, b) => (a.currency === b.currency ? b.profit - a.profit : a.currency < b.currency ? -1 : 1));
}
