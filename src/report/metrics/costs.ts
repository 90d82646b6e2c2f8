import { isFeeInBase } from '#domain/order.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import type { OversizedFill } from '#report/beyond-recorded.ts';
import { RateTable } from '#report/equity/rates.ts';
import { noRate } from '#report/no-rate.ts';
import type { OrderHistory } from '#report/order-history.ts';
import type { LedgerMovement } from '#report/record.ts';
import { type Metric, missing, ratio } from './metric.ts';

/** One kind of cost, in money and as a share of the traded value. */
export interface Cost {
  readonly money: Metric;
  readonly bps: Metric;
}

/** What trading cost, in the report's currency. */
export interface Costs {
  readonly fills: number;
  /** Value of all fills. */
  readonly volume: Metric;
  /** From the middle of the quote to its side that was used. */
  readonly spread: Cost;
  /** The part of it that was modelled for amounts above the recorded ones; 0 where there were none. */
  readonly beyond: Cost;
  readonly fee: Cost;
  /** From the price of the quote to the price of the fill; 0 where every fill came as quoted. */
  readonly slippage: Cost;
  readonly total: Cost;
  /** Financing of positions, signed: negative was paid. */
  readonly financing: Metric;
}

/** What fills cost, in one currency. */
export function costsOf(input: {
  readonly orders: readonly OrderHistory[];
  readonly columns: readonly QuoteColumns[];
  readonly currency: string;
  readonly ledger: readonly LedgerMovement[];
  readonly beyond: ReadonlyMap<string, OversizedFill>;
}): Costs {
  const { orders, columns, currency, ledger, beyond } = input;
  const rates = new RateTable(columns);
  const sums = { volume: 0, spread: 0, beyond: 0, fee: 0, slippage: 0 };
  let fills = 0;
  let whyNot: string | undefined;
  for (const { order, fill, filledAt, quoteBuy, quoteSell } of orders) {
    if (!fill || filledAt === null) continue;
    fills += 1;
    const [price, size, quoted] = [Number(fill.price), Number(fill.size), Number(order.price)];
    const into = (amount: number, from: string): number => {
      const worth = rates.worth(amount, { currency: from, into: currency, at: filledAt });
      if (worth === undefined) whyNot ??= noRate(from, currency);
      return worth ?? 0;
    };
    const toward = fill.side === 'buy' ? 1 : -1;
    const middle = (quoteBuy + quoteSell) / 2;
    sums.volume += into(Number(fill.value), fill.quoteCcy);
    sums.spread += into(toward * (quoted - middle) * size, fill.quoteCcy);
    sums.beyond += into(beyond.get(order.id)?.cost ?? 0, fill.quoteCcy);
    sums.slippage += into(toward * (price - quoted) * size, fill.quoteCcy);
    // A fee in base currency is worth what it would have brought at the price of the fill.
    const inBase = isFeeInBase(fill);
    sums.fee += into(Number(fill.fee) * (inBase ? price : 1), inBase ? fill.quoteCcy : fill.feeCcy);
  }
  const no = fills === 0 ? 'nothing was executed' : whyNot;
  const cost = (money: number): Cost =>
    no === undefined && Number.isFinite(money)
      ? { money, bps: ratio(money * 10_000, sums.volume, 'nothing was traded') }
      : { money: missing(no ?? 'a quote is not in the journal'), bps: missing(no ?? 'a quote is not in the journal') };
  return {
    fills,
    volume: no === undefined ? sums.volume : fills === 0 ? 0 : missing(no),
    spread: cost(sums.spread),
    beyond: cost(sums.beyond),
    fee: cost(sums.fee),
    slippage: cost(sums.slippage),
    total: cost(sums.spread + sums.fee + sums.slippage),
    financing: financingIn(ledger, currency, rates),
  };
}

function financingIn(ledger: readonly LedgerMovement[], into: string, rates: RateTable): Metric {
  let sum = 0;
  for (const { kind, currency, amount, at } of ledger) {
    if (kind !== 'financing') continue;
    const worth = rates.worth(Number(amount), { currency, into, at });
    if (worth === undefined) return missing(noRate(currency, into));
    sum += worth;
  }
  return sum;
}
