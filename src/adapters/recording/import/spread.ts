import type { PriceIs, Row } from './row.ts';

/** Makes bid and ask of rows that have one price alone, apart by a share of it that is assumed, in hundredths of a percent. */
export function assumedSpread(bps: number, priceIs: PriceIs): (row: Row) => void {
  const share = bps / 10_000;
  const below = priceIs === 'bid' ? 1 : 1 - (priceIs === 'ask' ? share : share / 2);
  const above = priceIs === 'ask' ? 1 : 1 + (priceIs === 'bid' ? share : share / 2);
  return (row) => {
    row.bid = rounded(row.bid * below);
    row.low = rounded(row.low * below);
    row.ask = rounded(row.ask * above);
    row.high = rounded(row.high * above);
  };
}

/** Twelve digits count: what a product with a double leaves behind them is no price. */
const rounded = (price: number): number => Number(price.toPrecision(12));
