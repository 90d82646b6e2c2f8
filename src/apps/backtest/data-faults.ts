import { amountFaults, wantedBy } from '#apps/assembly/assemble.ts';
import type { CheckedAgainst } from '#apps/assembly/start-faults.ts';
import type { Settings } from '#config/settings.ts';
import { KairosError } from '#domain/errors.ts';
import { dataPath, productsByCode, recordedData } from './data.ts';
import { lackingText } from './lacking.ts';
import { productsFor } from './session.ts';

/** Holds products and amounts against recorded or imported quotes, as a backtest would. Throws as reading a recording does. */
export function dataFaults(given: string, { strategies, recording }: Settings): CheckedAgainst['productFaults'] {
  const data = recordedData(dataPath(given, recording.dir));
  const held = new Set(data.columns.filter(({ length }) => length > 0).map(({ product }) => product));
  const { products } = productsFor(
    strategies.map(({ product }) => product),
    data,
  );
  const limits = [...productsByCode(products).values()];
  return (strategy) => {
    const missing = wantedBy(strategy).filter(({ product, amount, where }) => !held.has(product) && (where === '' || amount !== null));
    const what = `${strategy.origin}: strategy ${strategy.id}:`;
    const lacking = missing.map(({ product }) => {
      const lacks = lackingText(data, product, { from: undefined, to: undefined });
      return new KairosError('PRODUCT_UNKNOWN', `${what} ${lacks}: take a product of it, or name other data in --data`);
    });
    return [...lacking, ...amountFaults([strategy], limits)];
  };
}
