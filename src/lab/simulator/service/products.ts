/** A product of the simulated service. Prices and sizes are whole steps, which no double rounds. */
export interface ServedProduct {
  readonly code: string;
  readonly baseCcy: string;
  readonly quoteCcy: string;
  /** In base currency. */
  readonly minSize: number;
  /** In quote currency. */
  readonly minNotionalValue: number;
  /** Decimals of a size and of a price; one step is the last of them. */
  readonly sizePlaces: number;
  readonly pricePlaces: number;
  /** Price at the start. */
  readonly anchor: number;
}

/** The products that the simulated service lists. */
export const PRODUCTS: readonly ServedProduct[] = [
  { code: 'btcusd', baseCcy: 'btc', quoteCcy: 'usd', minSize: 0.0001, minNotionalValue: 5, sizePlaces: 5, pricePlaces: 2, anchor: 61_800 },
  { code: 'ethusd', baseCcy: 'eth', quoteCcy: 'usd', minSize: 0.001, minNotionalValue: 5, sizePlaces: 4, pricePlaces: 2, anchor: 2_450 },
  { code: 'solusd', baseCcy: 'sol', quoteCcy: 'usd', minSize: 0.1, minNotionalValue: 5, sizePlaces: 2, pricePlaces: 3, anchor: 148 },
  { code: 'adausd', baseCcy: 'ada', quoteCcy: 'usd', minSize: 10, minNotionalValue: 5, sizePlaces: 0, pricePlaces: 5, anchor: 0.43 },
  { code: 'etheur', baseCcy: 'eth', quoteCcy: 'eur', minSize: 0.001, minNotionalValue: 5, sizePlaces: 4, pricePlaces: 2, anchor: 2_260 },
];

/** How many times its own a product's least size is while the list is another (F19), where that raises it. */
export const RAISED = 20;

/** The currency in which a product is quoted. */
export const quotedIn = (code: string): string => PRODUCTS.find((one) => one.code === code)?.quoteCcy ?? '';

/** The user's balances at the start, which the daemon's configuration repeats. */
export const OPENING: Readonly<Record<string, string>> = { usd: '250000', eur: '250000', btc: '2', eth: '40', sol: '800', ada: '200000' };
