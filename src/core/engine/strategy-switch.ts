import type { StrategyHost } from '#core/strategy/host.ts';
import { isMultipleOf } from '#domain/decimal.ts';
import { type Amount, amountText, type Lane } from '#domain/lane.ts';
import type { Latch } from '#domain/latch.ts';
import { type ProductCode, type StrategyId, strategyId } from '#domain/names.ts';
import type { Product } from '#domain/product.ts';
import type { EngineContext } from './engine-context.ts';
import { type DisabledBy, productChanges, strategiesAffectedBy } from './product-changes.ts';

type Needs = Pick<EngineContext, 'disabled' | 'laneById' | 'log' | 'notice' | 'products' | 'strategies'>;

/**
 * Disables strategies at once, and enables them again behind a row. It follows the service's lists of products (F19): strategies that
 * order in a product that has changed are disabled, and the next list that has all their products as they are known by then
 * enables them again, where the configured amounts still fit. No amount is rounded to fit.
 */
export class StrategySwitch {
  private readonly context: Needs;
  private readonly host: StrategyHost;
  /** Strategies that only a product change disabled. */
  private readonly waiting = new Set<StrategyId>();

  constructor(context: Needs, host: StrategyHost) {
    this.context = context;
    this.host = host;
  }

  /** Takes over which strategies earlier runs disabled, and which of them only a product change did. */
  restore(latches: readonly Latch[]): void {
    for (const { kind, strategy, why, reason } of latches) {
      if (kind !== 'disabled' || strategy === null) continue;
      const id = strategyId(strategy);
      this.host.disable(id, why, reason);
      const isConfigured = this.context.strategies.some((one) => one.id === id && one.enabled);
      if (reason === 'PRODUCT_CHANGED' && isConfigured) this.waiting.add(id);
    }
  }

  /** Kairos alone disables, after a fault of the strategy; a person pauses it, or leaves it out by `enabled: false`. */
  disable(strategy: StrategyId, by: DisabledBy): void {
    this.off(strategy, by, 'until a person enables it');
  }

  /** The service's list of products disables a strategy, and a later one enables it again. */
  disableUntilListed(strategy: StrategyId, by: DisabledBy): void {
    this.off(strategy, by, 'until the service lists its products so again and its amounts fit, or a person enables it');
    this.waiting.add(strategy);
  }

  /** A person has enabled a strategy; that is journaled already. */
  enable(strategy: StrategyId): void {
    this.waiting.delete(strategy);
    this.host.enable(strategy);
  }

  /** Takes a list of the service's products. */
  applyProducts(listed: readonly Product[]): void {
    const { strategies, products, disabled } = this.context;
    const changes = productChanges(products, listed);
    const trading = strategies.filter(({ id }) => !disabled.has(id));
    const before = [...this.waiting];
    for (const { strategy, by } of strategiesAffectedBy(changes, trading)) this.disableUntilListed(strategy, by);
    const steady = new Set(listed.flatMap(({ code }) => (products.has(code) ? [code] : [])));
    for (const product of listed) products.set(product.code, product);
    for (const { code } of changes) steady.delete(code);
    for (const id of before) this.lookAgain(id, steady);
  }

  private off(strategy: StrategyId, { reason, who, why }: DisabledBy, untilWhen: string): void {
    const { log, notice } = this.context;
    this.waiting.delete(strategy);
    this.host.disable(strategy, why, reason);
    log.keep(log.make('disabled', { who, why }, { strategy, reason }));
    notice('error', `strategy ${strategy} is disabled ${untilWhen}: ${why}`);
  }

  private lookAgain(strategy: StrategyId, steady: ReadonlySet<ProductCode>): void {
    const { products, log, notice } = this.context;
    const orders = this.ordersOf(strategy);
    if (orders.some(({ product }) => !steady.has(product))) return;
    const unfit = orders.flatMap(({ product, amount }) => unfitText(amount, products.get(product)) ?? []);
    if (unfit.length > 0)
      return notice('error', `strategy ${strategy} stays disabled until its amounts fit, or a person enables it: ${unfit.join('; ')}`);
    const why = `listed the same once more, and its amounts fit: ${orders.map(({ product }) => product).join(', ')}`;
    if (!log.attempt(log.make('enabled', { who: 'kairos', why }, { strategy, reason: 'PRODUCT_CHECKED' }))) return;
    this.waiting.delete(strategy);
    notice('warn', `strategy ${strategy} is enabled again: ${why}`);
    this.host.enable(strategy);
  }

  /** Where a strategy orders by itself, and how much. */
  private ordersOf(strategy: StrategyId): readonly Pick<Lane, 'product' | 'amount'>[] {
    const { strategies, laneById } = this.context;
    return strategies
      .filter(({ id }) => id === strategy)
      .flatMap(({ product, amount, inputs }) => [
        { product, amount },
        ...Object.values(inputs ?? {}).flatMap(({ kind, source }) => (kind === 'lane' ? (laneById.get(source) ?? []) : [])),
      ]);
  }
}

function unfitText(amount: Amount, product: Product | undefined): string | undefined {
  if (!product) return undefined;
  const { code, minSize, sizeIncrement, minNotionalValue } = product;
  const what = `${amountText(amount)} of ${code}`;
  if ('quote' in amount) return amount.quote.lt(minNotionalValue) ? `${what} is below minNotionalValue ${minNotionalValue}` : undefined;
  if (amount.base.lt(minSize)) return `${what} is below minSize ${minSize}`;
  return isMultipleOf(amount.base, sizeIncrement) ? undefined : `${what} is no multiple of sizeIncrement ${sizeIncrement}`;
}
