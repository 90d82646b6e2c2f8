import { PRODUCTS } from '#lab/simulator/service/products.ts';
import type { Scene } from '#lab/simulator/service/scene.ts';
import { exact, flooredTo, textOf } from './exact.ts';
import type { Violate } from './finding.ts';
import type { ServiceHoldings } from './holdings.ts';
import type { JournalEye } from './journal-eye.ts';

/** What the machine leaves besides a fee, whose last digit it does not know. */
const FEE_ROUNDING = exact('0.00000001');
/** Tolerance of positions for fees that are given only in the other currency, with eight decimals. */
const FEE_DOUBT = exact('0.0000004');

interface ProductSize {
  readonly product: string;
  readonly size: bigint;
}

interface SizeWatchParts {
  readonly scene: Scene;
  readonly holdings: ServiceHoldings;
  readonly eye: JournalEye;
  readonly violate: Violate;
}

/** Checks requested sizes (I11): whole steps from the minimum size; only the plan's amounts, a book's position or a share of it, rounded towards zero. */
export class SizeWatch {
  private readonly scene: Scene;
  private readonly holdings: ServiceHoldings;
  private readonly eye: JournalEye;
  private readonly violate: Violate;
  private readonly planned: readonly ProductSize[];
  private readonly shares: readonly bigint[];
  /** Positions that a strategy asks for, by product, beside none. */
  private readonly targets: readonly ProductSize[];
  /** True where an order has several legs: those that were executed are undone where another fails. */
  private readonly hasLegs: boolean;

  constructor({ scene, holdings, eye, violate }: SizeWatchParts) {
    const { strategies, acts } = scene.plan;
    this.scene = scene;
    this.holdings = holdings;
    this.eye = eye;
    this.violate = violate;
    const traded = strategies.flatMap(({ product, amount, inputs = {} }) => [{ product, amount }, ...Object.values(inputs)]);
    const byHand = acts.flatMap(({ act, product = '', amount }) =>
      act === 'order' && amount ? [{ product, amount: { base: amount } }] : [],
    );
    this.hasLegs = strategies.some(({ inputs }) => inputs !== undefined);
    this.planned = [
      ...[...traded, ...byHand].flatMap(({ product, amount }) => (amount && 'base' in amount ? { product, size: exact(amount.base) } : [])),
      ...strategies.flatMap(({ use, product, amount }) =>
        use === 'shifter' && 'base' in amount ? { product, size: 2n * exact(amount.base) } : [],
      ),
    ];
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
    if (this.allowed(product.code, step).has(size) || this.isUnknown(product.code)) return;
    const held = [...new Set(this.holdings.lately(product.code))].map(textOf);
    this.violate(
      'I11',
      `a quote is asked for ${inputSize} ${product.code}, which is neither planned nor a share of what any book held, rounded down: ${held.join(', ')}`,
    );
  }

  /** True while an outcome is not known, of an order that was written or of one that a process left behind unwritten. */
  private isUnknown(product: string): boolean {
    const left = "SELECT 1 FROM orders WHERE product = ? AND state IN ('intent', 'unknown')";
    return this.holdings.isOpen(product) || this.eye.rows(left, product).length > 0;
  }

  /** What can be sold of a holding from which the fee is taken as well. */
  private besideFee(held: bigint): bigint {
    const { dialect, plan } = this.scene;
    const feeBps = dialect.feeTaken === 'fee-in-base' ? BigInt(Math.round(plan.market.feePct * 100)) : 0n;
    return ((held - FEE_ROUNDING) * 10_000n) / (10_000n + feeBps);
  }

  /** The allowed sizes. While the list of products differs (F19), steps may differ as well: every size is rounded down to those that may hold. */
  private allowed(product: string, step: bigint): ReadonlySet<bigint> {
    const { holdings, planned, targets, shares } = this;
    const doubts = this.scene.dialect.quoteFees === 'both-fees' ? [0n] : [0n, FEE_DOUBT, -FEE_DOUBT];
    const steps = (this.scene.troubles.seen.get('F19') ?? 0) > 0 ? [step, step * 10n] : [step];
    const sizesOf = (all: readonly ProductSize[]): readonly bigint[] => all.flatMap((one) => (one.product === product ? one.size : []));
    const around = (size: bigint): readonly bigint[] => doubts.map((doubt) => size + doubt);
    const lately = holdings.lately(product);
    const held = [...lately, ...(this.hasLegs ? holdings.moves(product) : [])].map(unsigned).flatMap(around);
    const wanted = [
      ...sizesOf(planned),
      ...held.flatMap((one) => [this.besideFee(one), ...shares.map((share) => (one * share) / 100n)]),
      ...sizesOf(targets).flatMap((size) => lately.flatMap((one) => around(size - one)).map(unsigned)),
    ];
    return new Set(wanted.flatMap((size) => steps.map((one) => flooredTo(size, one))));
  }
}

const unsigned = (size: bigint): bigint => (size < 0n ? -size : size);
