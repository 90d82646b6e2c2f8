import type { ImportSpread } from '#adapters/recording/manifest.ts';
import { type Decimal, decimalOf } from '#domain/decimal.ts';
import { formatIn } from './formats.ts';
import type { Layout } from './layout.ts';
import type { ColumnMap, PriceIs, PriceRow } from './row.ts';

/** Puts bid and ask of a row with one price apart by so many units of its file. Returns why they cannot be. */
export type ApplySpread = (row: PriceRow, units: number) => string | undefined;

/** Which one a lone price is: as a person said, or the title of its column, or as files of its format have it. */
export const priceIsIn = (layout: Layout, { priceIs }: Pick<ColumnMap, 'priceIs'>): PriceIs =>
  priceIs ?? layout.priceIs ?? formatIn(layout).priceIs ?? 'mid';

/** What makes both sides of rows whose file has their spread; undefined where no column of spreads is used. */
export const putApartIn = (layout: Layout, map: ColumnMap): ApplySpread | undefined =>
  layout.spreads < 0 ? undefined : putApartBy(map.point ?? decimalOf(1), priceIsIn(layout, map));

/** The sums are those of the decimals that a file has. */
function putApartBy(point: Decimal, priceIs: PriceIs): ApplySpread {
  const below = { bid: decimalOf(0), mid: point.times('0.5'), ask: point }[priceIs];
  const above = point.minus(below);
  return (row, units) => {
    const [under, over] = [below.times(units), above.times(units)];
    if (!under.isZero()) {
      row.bid = decimalOf(row.bid).minus(under).toNumber();
      row.low = decimalOf(row.low).minus(under).toNumber();
    }
    if (!over.isZero()) {
      row.ask = decimalOf(row.ask).plus(over).toNumber();
      row.high = decimalOf(row.high).plus(over).toNumber();
    }
    return row.low > 0 ? undefined : 'leaves no bid above zero';
  };
}

/** True for a spread: a number that is not below zero. */
export const isSpread = (units: number): boolean => units >= 0 && units < Number.POSITIVE_INFINITY;

/** What is wrong with a cell of spreads. */
export const NO_SPREAD = 'is not a spread of zero or more';

/** The spreads of rows in hundredths of a percent. Those that differ by less than a thousandth are counted together. */
export class SpreadStatistics {
  private readonly alike = new Map<number, { count: number; sum: number }>();
  private count = 0;
  private low = Number.POSITIVE_INFINITY;
  private high = 0;

  add(bid: number, ask: number): void {
    const bps = (20_000 * (ask - bid)) / (ask + bid);
    const key = bps > 0 ? Math.round(1000 * Math.log(bps)) : Number.NEGATIVE_INFINITY;
    const same = this.alike.get(key);
    if (same) {
      same.count += 1;
      same.sum += bps;
    } else this.alike.set(key, { count: 1, sum: bps });
    this.count += 1;
    this.low = Math.min(this.low, bps);
    this.high = Math.max(this.high, bps);
  }

  /** Median and range, to three digits; undefined where there was none. */
  get figures(): Omit<ImportSpread, 'column' | 'point'> | undefined {
    let left = this.count / 2;
    for (const [, { count, sum }] of [...this.alike].sort(([one], [other]) => one - other)) {
      left -= count;
      if (left <= 0) return { medianBps: shortly(sum / count), lowBps: shortly(this.low), highBps: shortly(this.high) };
    }
    return undefined;
  }
}

const shortly = (bps: number): number => Number(bps.toPrecision(3));
