import { type DecidingConfig, loadConfig } from '#config/load.ts';
import { KairosError } from '#domain/errors.ts';
import { type QuotedProduct, VB_PRODUCTS } from '#paper-venue/products.ts';
import type { ScenarioOptions } from './scenario-options.ts';

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
