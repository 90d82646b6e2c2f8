import { type Decimal, decimalOf } from '#domain/decimal.ts';
import { productCode } from '#domain/names.ts';
import type { Product } from '#domain/product.ts';

/** A product that the venue quotes: its four limits (spec 2.6), its currencies, and how its spread behaves. */
export interface QuotedProduct extends Product {
  readonly baseCcy: string;
  readonly quoteCcy: string;
  /** The largest size that is quoted without a spread (spec 2.8, rule 1). */
  readonly zeroSpreadSize: Decimal;
  /** The largest size on offer. */
  readonly maxSize: Decimal;
  /** Impact of each further multiple of `zeroSpreadSize` on each side, as a share of the price. */
  readonly impact: Decimal;
  /**
   * Price around which the synthetic market moves, and its mean volatility as a share of the price per root second: a day of some
   * percent for coins, of half a percent for currencies.
   */
  readonly anchor: number;
  readonly volatility: number;
}

/** A product of the list. Only those of `VB` are quoted. */
interface ListedProduct {
  readonly exchangeCode: string;
  readonly record: Readonly<Record<string, string | number>>;
}

/** Products of the venue `VB`. Codes are those of the wire; figures are our own choice. */
export const VB_PRODUCTS: readonly QuotedProduct[] = [
  quoted('btc', 'usd', {
    limits: ['0.0001', '5', '0.00001', '0.01'],
    sizes: ['0.5', '50'],
    impact: '0.0002',
    anchor: 61_800,
    volatility: 0.9e-4,
  }),
  quoted('eth', 'usd', {
    limits: ['0.001', '5', '0.0001', '0.01'],
    sizes: ['10', '1000'],
    impact: '0.0002',
    anchor: 2_640,
    volatility: 1.1e-4,
  }),
  quoted('eth', 'sek', {
    limits: ['0.001', '50', '0.0001', '0.1'],
    sizes: ['5', '500'],
    impact: '0.0003',
    anchor: 27_400,
    volatility: 1.1e-4,
  }),
  quoted('eur', 'usd', {
    limits: ['1', '1', '0.01', '0.00001'],
    sizes: ['50000', '5000000'],
    impact: '0.00002',
    anchor: 1.085,
    volatility: 1.5e-5,
  }),
];

/** Exchange codes of the specification's first table, with the one that its copy lost. An unknown one is refused. */
export const EXCHANGE_CODES: readonly string[] = ['BIN', 'BYB', 'OKX', 'CRYPTO', 'IB', 'VB'];

/** Every product of every venue. `VB` sends its limits as numbers, the others as text: both occur (spec 2.6). */
export const LISTED_PRODUCTS: readonly ListedProduct[] = [
  ...VB_PRODUCTS.map((product) => ({
    exchangeCode: 'VB',
    record: {
      productCode: product.code,
      minSize: product.minSize.toNumber(),
      minNotionalValue: product.minNotionalValue.toNumber(),
      sizeIncrement: product.sizeIncrement.toNumber(),
      priceIncrement: product.priceIncrement.toNumber(),
      exchangeCode: 'VB',
      baseCcy: product.baseCcy,
      quoteCcy: product.quoteCcy,
    },
  })),
  listed('OKX', 'okx-btc-usdt', ['0.00001', '5', '0.00000001', '0.1']),
  listed('OKX', 'okx-eth-usdt', ['0.0001', '5', '0.000001', '0.01']),
  listed('BIN', 'bin-btc-usdt', ['0.00001', '5', '0.00001', '0.01']),
];

type Limits = readonly [minSize: string, minNotionalValue: string, sizeIncrement: string, priceIncrement: string];

interface Behaviour {
  readonly limits: Limits;
  readonly sizes: readonly [zeroSpread: string, max: string];
  readonly impact: string;
  readonly anchor: number;
  readonly volatility: number;
}

function quoted(baseCcy: string, quoteCcy: string, behaviour: Behaviour): QuotedProduct {
  const [minSize, minNotionalValue, sizeIncrement, priceIncrement] = behaviour.limits;
  return {
    code: productCode(`${baseCcy}${quoteCcy}`),
    baseCcy,
    quoteCcy,
    minSize: decimalOf(minSize),
    minNotionalValue: decimalOf(minNotionalValue),
    sizeIncrement: decimalOf(sizeIncrement),
    priceIncrement: decimalOf(priceIncrement),
    zeroSpreadSize: decimalOf(behaviour.sizes[0]),
    maxSize: decimalOf(behaviour.sizes[1]),
    impact: decimalOf(behaviour.impact),
    anchor: behaviour.anchor,
    volatility: behaviour.volatility,
  };
}

function listed(exchangeCode: string, code: string, limits: Limits): ListedProduct {
  const [minSize, minNotionalValue, sizeIncrement, priceIncrement] = limits;
  return { exchangeCode, record: { productCode: code, minSize, minNotionalValue, sizeIncrement, priceIncrement, exchangeCode } };
}
