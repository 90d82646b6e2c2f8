import { currency, laneIdOf, productCode, quoteId } from '#domain/names.ts';
import type { Quote, QuoteSide } from '#domain/quote.ts';
import { anyText, fc } from './property.ts';

/** Any double, and those that are easily lost. */
export const anyFigure = fc.oneof(
  fc.double(),
  fc.constantFrom(-0, 0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e-7, 1e21, 2 ** 53),
);
export const anyWhole = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const anySide: fc.Arbitrary<QuoteSide> = fc
  .record(
    {
      price: anyFigure,
      size: anyFigure,
      value: anyFigure,
      feeInBaseCcy: anyFigure,
      feeInQuoteCcy: anyFigure,
      slippage: anyFigure,
      slippagePercentage: anyFigure,
    },
    { noNullPrototype: true },
  )
  .map((side) => Object.freeze(side));

/** Quotes of every kind that a recording can hold, also such as no service sends. */
export const quotesNamed = (name: fc.Arbitrary<string>): fc.Arbitrary<Quote> =>
  fc
    .record(
      {
        id: fc.option(
          fc
            .oneof(
              fc.uuid(),
              fc.uuid().map((id) => id.toUpperCase()),
              name,
            )
            .map(quoteId),
        ),
        product: name.map(productCode),
        baseCcy: name.map(currency),
        quoteCcy: name.map(currency),
        buy: anySide,
        sell: anySide,
        feePercentage: anyFigure,
        spread: anyFigure,
        spreadPercentage: anyFigure,
        dailyChangePercentage: anyFigure,
        validUntil: anyWhole,
        lane: name.map(laneIdOf),
        epoch: anyWhole,
      },
      { noNullPrototype: true },
    )
    .map((quote) => Object.freeze(quote));

export const anyQuote = quotesNamed(fc.oneof(fc.string(), anyText(), fc.constantFrom('btcusd', '"],[', '\n', '__proto__', '../x', 'a/b')));

/** A plain quote of a lane, the `n`-th. */
export function recordedQuote(options: { n: number; anonymous?: boolean; capitals?: boolean; lane?: string }): Quote {
  const { n, anonymous = false, capitals = false, lane = 'btcusd@base:0.01' } = options;
  const id = `0000000a-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const side = (price: number): QuoteSide =>
    Object.freeze({ price, size: 0.01, value: 610, feeInBaseCcy: 1e-5, feeInQuoteCcy: 0.61, slippage: 0.25, slippagePercentage: 0.0004 });
  return Object.freeze({
    id: anonymous ? null : quoteId(capitals ? id.toUpperCase() : id),
    product: productCode('btcusd'),
    baseCcy: currency('BTC'),
    quoteCcy: currency('USD'),
    buy: side(61_000.5 + n),
    sell: side(61_000 + n),
    feePercentage: 0.1,
    spread: 0.5,
    spreadPercentage: 0.0008,
    dailyChangePercentage: -1.25,
    validUntil: Date.UTC(2026, 10, 21, 3) + 3000 + n,
    lane: laneIdOf(lane),
    epoch: 3,
  });
}
