import { type DecidingConfig, loadConfig } from '#config/load.ts';
import { KairosError } from '#domain/errors.ts';
import { type QuotedProduct, VB_PRODUCTS } from '#venue/products.ts';

export type AmountEntry = { readonly base: number | string } | { readonly quote: number | string };

/** How a strategy is run; names and values are those of `kairos.yaml`. */
export interface ScenarioOptions {
  /** A product of the paper venue; btcusd by default. */
  readonly product?: string;
  /** Amount of one trade; `{ base: 0.01 }` by default. */
  readonly amount?: AmountEntry;
  readonly params?: Readonly<Record<string, number | boolean | string>>;
  /** Bindings of further inputs. */
  readonly inputs?: Readonly<Record<string, { readonly product: string; readonly amount?: AmountEntry }>>;
  readonly exits?: Readonly<Record<string, number | boolean>>;
  /** Opening capital by currency; 10,000 of the product's quote currency by default. */
  readonly budget?: Readonly<Record<string, number | string>>;
  /** Any other setting by its key, as in `{ 'risk.maxSpreadPct': 0.1 }`. Defaults are those of paper. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Start time, ISO 8601; the beginning of 2026 by default. */
  readonly startAt?: string;
  /** Latency of an order to the service, and of its answer back, in milliseconds; 0 by default. */
  readonly latencyMs?: number;
  /** Fee in percent of an order's value; 0.1 by default. */
  readonly feePercentage?: number;
}

/** The strategy's id in the journal. */
const ID = 'tested';

/** The configuration by the options, without files or environment. Throws a KairosError. */
export function configOf({
  product = 'btcusd',
  amount = { base: 0.01 },
  params,
  inputs,
  exits,
  budget,
  settings,
}: ScenarioOptions): DecidingConfig {
  quotedProduct(product);
  for (const bound of Object.values(inputs ?? {})) quotedProduct(bound.product);
  const entry = { id: ID, use: ID, product, amount, params, inputs, exits, budget };
  const set = Object.entries({ ...settings, strategies: [entry] }).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return loadConfig({ files: null, set, env: {}, cwd: '/' });
}

/** A product of the paper venue. Throws PRODUCT_UNKNOWN. */
export function quotedProduct(code: string): QuotedProduct {
  const product = VB_PRODUCTS.find((one) => one.code === code);
  if (product) return product;
  const known = VB_PRODUCTS.map((one) => one.code).join(', ');
  throw new KairosError('PRODUCT_UNKNOWN', `a scenario knows the products of the paper venue, ${known}; not ${code}`);
}
