import type { ProductCode, StrategyId } from '#domain/names.ts';
import type { Product } from '#domain/product.ts';
import type { Reason } from '#domain/reasons.ts';
import type { EngineStrategy } from './engine-options.ts';

const LIMITS = ['minSize', 'minNotionalValue', 'sizeIncrement', 'priceIncrement'] as const;

/** Why a strategy is disabled, and who says so. */
export interface DisabledBy {
  readonly reason: Reason;
  readonly who: string;
  readonly why: string;
}

interface ProductChange {
  readonly code: ProductCode;
  readonly why: string;
}

/** What a later list of products has otherwise than the one before, and why that matters; new products do not (F19). */
export function productChanges(before: ReadonlyMap<ProductCode, Product>, listed: readonly Product[]): readonly ProductChange[] {
  const now = new Map(listed.map((product) => [product.code, product]));
  return [...before.values()].flatMap((old) => {
    const { code } = old;
    const product = now.get(code);
    if (!product) return [{ code, why: `the service lists ${code} no more` }];
    const changes = LIMITS.filter((name) => !old[name].eq(product[name])).map((name) => `${name} ${old[name]} -> ${product[name]}`);
    return changes.length === 0 ? [] : [{ code, why: `the service changed ${code}: ${changes.join(', ')}` }];
  });
}

/**
 * The strategies that order in a product that has changed, by their own lane or by an input. Their sizes were planned for
 * what the service had before: a person looks at them first.
 */
export function strategiesAffectedBy(
  changes: readonly ProductChange[],
  strategies: readonly EngineStrategy[],
): readonly { readonly strategy: StrategyId; readonly by: DisabledBy }[] {
  return changes.flatMap(({ code, why }) =>
    strategies
      .filter(
        ({ product, inputs }) =>
          product === code || Object.values(inputs ?? {}).some((input) => input.kind === 'lane' && input.product === code),
      )
      .map(({ id }) => ({ strategy: id, by: { reason: 'PRODUCT_CHANGED', who: 'service', why } })),
  );
}
