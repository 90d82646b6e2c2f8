import type { ParentOrders } from '#core/execution/parent-orders.ts';
import { canBeOrdered, leastOrder } from '#core/portfolio/valuation.ts';
import { type StrategyInstance, tradedOn } from '#core/strategy/instance.ts';
import { floorToStep } from '#domain/decimal.ts';
import type { LaneId, ProductCode, StrategyId } from '#domain/names.ts';
import type { EngineContext } from './engine-context.ts';
import type { EngineStrategy } from './engine-options.ts';

type Needs = Pick<EngineContext, 'books' | 'log' | 'products' | 'strategies'>;

/** What strategies hold and have on its way, by the lanes and products that each trades. */
export class StrategyPositions {
  private readonly context: Needs;
  private readonly parentOrders: Pick<ParentOrders, 'isClosing'>;
  private readonly byId: ReadonlyMap<StrategyId, EngineStrategy>;
  /** Who trades on each lane, in which product. */
  private readonly traders = new Map<LaneId, { readonly id: StrategyId; readonly product: ProductCode }[]>();

  constructor(context: Needs, parentOrders: Pick<ParentOrders, 'isClosing'>) {
    this.context = context;
    this.parentOrders = parentOrders;
    this.byId = new Map(context.strategies.map((strategy) => [strategy.id, strategy]));
    for (const strategy of context.strategies)
      for (const { lane, product } of tradedOn(strategy))
        this.traders.set(lane, [...(this.traders.get(lane) ?? []), { id: strategy.id, product }]);
  }

  /** True while an order of the instance is on its way, in any product that it trades, or its position is being closed. */
  readonly isBusy = ({ id, product, inputs }: StrategyInstance): boolean => {
    const { books } = this.context;
    if (books.inFlight(id, product)) return true;
    if (inputs !== undefined && Object.values(inputs).some((input) => books.inFlight(id, input.product))) return true;
    return this.parentOrders.isClosing(id);
  };

  /** True while a strategy that trades on the lane holds something in its product there, or has an order on its way. */
  restsOn(lane: LaneId): boolean {
    const { books } = this.context;
    return (this.traders.get(lane) ?? []).some(
      ({ id, product }) => !books.book(id, product).size.isZero() || books.openOf(id, product).length > 0,
    );
  }

  /** Says which part of a position no order can close, as soon as it is there. */
  nameDust(strategy: StrategyId, price: number): void {
    const { books, products, log } = this.context;
    const code = this.byId.get(strategy)?.product;
    const product = code === undefined ? undefined : products.get(code);
    if (!product) return;
    const held = books.book(strategy, product.code).size;
    if (held.isZero()) return;
    const closable = floorToStep(held, product.sizeIncrement);
    const dust = canBeOrdered(closable, product, { price }) ? held.minus(closable) : held;
    if (dust.isZero()) return;
    const least = leastOrder(product, price);
    const detail = { held: held.toString(), dust: dust.toString(), least: least.toString() };
    log.defer(log.make('dust', detail, { strategy, product: product.code, reason: 'DUST' }));
  }
}
