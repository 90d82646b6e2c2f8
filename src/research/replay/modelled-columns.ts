import type { PriceColumns, QuoteColumns } from '#domain/quote-columns.ts';
import type { QuoteSource } from './recorded-lane.ts';

/** All quotes that a lane still gets, as columns: those that `nearest` is the model of. */
export function columnsOf(source: QuoteSource, nearest: QuoteColumns): PriceColumns {
  const { product, baseCcy, quoteCcy, barMs } = nearest;
  const column = (): Float64Array => new Float64Array(nearest.length);
  const [at, buy, sell] = [column(), { price: column(), size: column() }, { price: column(), size: column() }];
  let length = 0;
  while (Number.isFinite(source.nextAt)) {
    const time = source.nextAt;
    const quote = source.next();
    if (!quote) continue;
    at[length] = time;
    for (const [to, side] of [
      [buy, quote.buy],
      [sell, quote.sell],
    ] as const) {
      to.price[length] = side.price;
      to.size[length] = side.size;
    }
    length += 1;
  }
  const cut = ({ price, size }: typeof buy) => ({ price: price.subarray(0, length), size: size.subarray(0, length) });
  const names = { lane: source.lane.id, product, baseCcy, quoteCcy, ...(barMs !== undefined && { barMs }) };
  return { ...names, length, at: at.subarray(0, length), buy: cut(buy), sell: cut(sell) };
}
