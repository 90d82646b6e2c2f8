import { PRODUCTS } from '#lab/simulator/service/products.ts';
import type { Scene } from '#lab/simulator/service/scene.ts';
import { exact, flooredTo, textOf } from './exact.ts';
import type { Violate } from './finding.ts';
import type { ServiceHoldings } from './holdings.ts';

/** What the machine leaves besides a fee, whose last digit it does not know. */
const FEE_ROUNDING = exact('0.00000001');
/** Tolerance of positions for fees that are given only in the other currency, with eight decimals. */
const FEE_DOUBT = exact('0.0000004');

/**
 * Checks requested sizes (I11): whole steps from the minimum size; other than the plan's amounts only a book's position
 * or a share of it, rounded towards zero.
 */
export class SizeWatch {
  private readonly scene: Scene;
  private readonly holdings: ServiceHoldings;
  private readonly violate: Violate;
  private readonly planned: Set<string>;
  private readonly shares: readonly bigint[];
  /** Positions that a strategy asks for, by product, beside none. */
  private readonly targets: readonly { readonly product: string; readonly size: bigint }[];
  /** True where an order has several legs: those that were executed are undone where another fails. */
  private readonly hasLegs: boolean;

  constructor(scene: Scene, holdings: ServiceHoldings, violate: Violate) {
    const { strategies, acts } = scene.plan;
    this.scene = scene;
    this.holdings = holdings;
    this.violate = violate;
    const traded = strategies.flatMap(({ product, amount, inputs = {} }) => [{ product, amount }, ...Object.values(inputs)]);
    const byHand = acts.flatMap(({ act, product = '', amount }) =>
      act === 'order' && amount ? [{ product, amount: { base: amount } }] : [],
    );
    this.hasLegs = strategies.some(({ inputs }) => inputs !== undefined);
    this.planned = new Set(
      [...traded, ...byHand].flatMap(({ product, amount }) => (amount && 'base' in amount ? `${product} ${exact(amount.base)}` : [])),
    );
    for (const { use, product, amount } of strategies)
      if (use === 'shifter' && 'base' in amount) this.planned.add(`${product} ${2n * exact(amount.base)}`);
    this.targets = strategies.flatMap(({ use, product, amount }) =>
      use === 'turner' && 'base' in amount ? [1n, -1n].map((sign) => ({ product, size: sign * exact(amount.base) })) : [],
    );
    this.shares = [
      100n,
      ...acts.map(({ figure = 100 }) => BigInt(figure)),
      ...strategies.map(({ params }) => BigInt(params.scalePct ?? 100)),
    ];
  }

  /** Checks a subscription as received by the service. */
  subscribed(query: string): void {
    const { productCode, inputSize } = JSON.parse(query);
    const product = PRODUCTS.find(({ code }) => code === String(productCode).toLowerCase());
    if (!product || inputSize == null) return;
    const size = exact(String(inputSize));
    const step = exact((10 ** -product.sizePlaces).toFixed(product.sizePlaces));
    if (size % step !== 0n)
      this.violate('I11', `a quote is asked for ${inputSize} ${product.code}, which is no multiple of ${textOf(step)}`);
    if (size < exact(String(product.minSize)))
      this.violate('I11', `a quote is asked for ${inputSize} ${product.code}, less than the least`);
    if (this.planned.has(`${product.code} ${size}`) || this.holdings.isOpen(product.code)) return;
    if (this.allowed(product.code, step).has(size)) return;
    const held = [...new Set(this.holdings.lately(product.code))].map(textOf);
    this.violate(
      'I11',
      `a quote is asked for ${inputSize} ${product.code}, which is no share of what any book held, rounded down: ${held.join(', ')}`,
    );
  }

  /** What can be sold of a holding from which the fee is taken as well. */
  private besideFee(held: bigint): bigint {
    const { dialect, plan } = this.scene;
    const feeBps = dialect.feeTaken === 'fee-in-base' ? BigInt(Math.round(plan.market.feePct * 100)) : 0n;
    return ((held - FEE_ROUNDING) * 10_000n) / (10_000n + feeBps);
  }

  /** The allowed sizes besides the plan's amounts. While the list of products differs (F19), steps may differ as well. */
  private allowed(product: string, step: bigint): ReadonlySet<bigint> {
    const { dialect } = this.scene;
    const doubts = dialect.quoteFees === 'both-fees' ? [0n] : [0n, FEE_DOUBT, -FEE_DOUBT];
    const steps = (this.scene.troubles.seen.get('F19') ?? 0) > 0 ? [step, step * 10n] : [step];
    const sizes = new Set<bigint>();
    const undone = this.hasLegs ? this.holdings.moves(product) : [];
    for (const position of [...this.holdings.lately(product), ...undone]) {
      const held = position < 0n ? -position : position;
      for (const doubt of doubts) for (const one of steps) sizes.add(flooredTo(this.besideFee(held + doubt), one));
      for (const doubt of doubts)
        for (const share of this.shares) for (const one of steps) sizes.add(flooredTo(((held + doubt) * share) / 100n, one));
    }
    const targets = this.targets.filter((one) => one.product === product);
    const by = targets.flatMap(({ size }) => this.holdings.lately(product).flatMap((held) => doubts.map((doubt) => size - held + doubt)));
    for (const one of steps) for (const change of by) sizes.add(flooredTo(change < 0n ? -change : change, one));
    return sizes;
  }
}
