import { productText } from '#assembly/assemble.ts';
import { VB_PRODUCTS } from '#paper-venue/products.ts';
import type { BacktestData } from './data.ts';

/** Limits of products: as recorded, else those of the paper venue, else as fine as amounts need; and by product what is to be said of that. */
export function productsFor(wanted: readonly string[], { products, columns }: BacktestData) {
  const byCode = new Map(products.map((product) => [product.code, product]));
  const remarks = new Map<string, string>();
  for (const code of new Set([...wanted, ...columns.map(({ product }) => product)])) {
    if (byCode.has(code) || !columns.some(({ product }) => product === code)) continue;
    const venue = VB_PRODUCTS.find((product) => product.code === code);
    byCode.set(code, venue ? productText(venue) : { code, ...FINEST });
    remarks.set(code, `the limits of ${code} were not recorded: ${venue ? "the paper venue's" : 'none'} are used`);
  }
  return { products: [...byCode.values()], remarks };
}

const FINEST = { minSize: '0.00000001', minNotionalValue: '0.00000001', sizeIncrement: '0.00000001', priceIncrement: '0.00000001' };
