import { type Decimal, decimalOf } from '#domain/decimal.ts';
import { LISTED_PRODUCTS, VB_PRODUCTS } from '#paper-venue/products.ts';

/** A product that strategies trade, on any exchange. */
export interface Tradable {
  readonly code: string;
  readonly exchangeCode: string;
  readonly baseCcy: string;
  readonly quoteCcy: string;
  readonly minSize: Decimal;
  readonly minNotionalValue: Decimal;
  readonly sizeIncrement: Decimal;
  readonly priceIncrement: Decimal;
  /** The quoted product whose price it uses: its own, or that of the same coin in dollars. */
  readonly pricedAs: string;
}

/** Every listed product by its code. */
export const TRADABLES: ReadonlyMap<string, Tradable> = new Map(
  LISTED_PRODUCTS.map(({ exchangeCode, record }) => {
    const code = String(record.productCode);
    const quoted = VB_PRODUCTS.find((product) => product.code === code);
    const [, base = '', quote = ''] = code.split('-');
    const limits = {
      minSize: decimalOf(record.minSize ?? 0),
      minNotionalValue: decimalOf(record.minNotionalValue ?? 0),
      sizeIncrement: decimalOf(record.sizeIncrement ?? 0),
      priceIncrement: decimalOf(record.priceIncrement ?? 0),
    };
    const names = quoted
      ? { baseCcy: quoted.baseCcy, quoteCcy: quoted.quoteCcy, pricedAs: code }
      : { baseCcy: base, quoteCcy: quote, pricedAs: `${base}usd` };
    return [code, { code, exchangeCode, ...limits, ...names }] as const;
  }),
);
