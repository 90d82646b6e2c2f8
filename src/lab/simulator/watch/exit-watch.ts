import type { Decision } from '#domain/decision.ts';
import type { SimulatedFault } from '#lab/simulator/plan/faults.ts';
import type { PlannedStrategy } from '#lab/simulator/plan/plan.ts';
import type { SimulatedQuote } from '#lab/simulator/service/issued.ts';
import { PRODUCTS, RAISED } from '#lab/simulator/service/products.ts';
import type { Scene } from '#lab/simulator/service/scene.ts';
import type { Violate } from './finding.ts';
import type { Effect, ServiceHoldings } from './holdings.ts';

/** How long a due exit may wait for its order, in milliseconds, and in quotes of a lane: it may need one of its own. */
const LEFT_MS = 30_000;
const LEFT_QUOTES = 6;
/** How long after a fault, or a start, the daemon may still be busy with it, in milliseconds. */
const QUIET_MS = 90_000;
/** Faults that keep no order back: those of notifications, of what the service does by itself, of copies and of strangers. */
const HARMLESS: ReadonlySet<SimulatedFault> = new Set<SimulatedFault>([
  ...(['F16', 'F17', 'F18', 'F38', 'F38b', 'F39', 'F40', 'F42', 'F44', 'F49', 'F52', 'F53', 'F73'] as const),
]);
/** What moves a price past a level for certain, as a share of the level. */
const PAST = 1.05;

interface ExitParts {
  readonly scene: Scene;
  readonly holdings: ServiceHoldings;
  /** True while neither rows nor a person keep exits back. */
  readonly mayExit: () => boolean;
  readonly violate: Violate;
}

/** A strategy's position in a product that it trades. */
interface WatchedPosition extends Pick<PlannedStrategy, 'id' | 'product' | 'amount' | 'exits'> {
  readonly name: string;
}

function watchedOf({ id, product: own, amount: ownAmount, inputs = {}, exits }: PlannedStrategy): readonly WatchedPosition[] {
  const others = Object.values(inputs).flatMap(({ amount, product }) => (amount ? { amount, product } : []));
  const lanes = [{ product: own, amount: ownAmount }, ...others];
  return exits ? lanes.map((lane) => ({ name: `${id} ${lane.product}`, id, ...lane, exits })) : [];
}

/** True for a quote of the strategy's own lane: one of another size may have a price that its own never had. */
function isOwn({ product, amount }: WatchedPosition, quote: SimulatedQuote): boolean {
  if (product !== quote.product) return false;
  const { inputSize, inputValue } = JSON.parse(quote.query);
  return 'base' in amount ? Number(inputSize) === Number(amount.base) : Number(inputValue) === Number(amount.quote);
}

/** Where no fault is about, an exit that is due by the service's executions and quotes leaves within seconds (I07b). */
export class DueExitWatch {
  private readonly parts: ExitParts;
  private readonly watched: readonly WatchedPosition[];
  private readonly dueSince = new Map<string, number>();
  /** Positions whose exit the journal has as due, by when they were opened: it stays due over restarts. */
  private readonly dueByRow = new Map<string, number>();
  /** The best closing price of each position since it was watched. */
  private readonly best = new Map<string, { readonly openedAt: number; readonly price: number }>();
  private quietFrom = QUIET_MS;

  constructor(parts: ExitParts) {
    const { strategies, settings } = parts.scene.plan;
    this.parts = parts;
    // An exit of some worth waits for a person.
    const isAsked = settings.some((one) => one.startsWith('risk.maxExitValue='));
    this.watched = isAsked ? [] : strategies.flatMap(watchedOf);
  }

  starting(): void {
    this.disturbed();
  }

  /** The journal has an exit as due. */
  committed({ kind, strategy, product }: Decision): void {
    if (kind === 'exit') this.dueByRow.set(`${strategy} ${product}`, this.parts.holdings.of(product ?? '', strategy).openedAt);
  }

  /** An order that is being written. */
  wrote({ book, product }: Effect): void {
    this.dueSince.delete(`${book} ${product}`);
  }

  /** A quote has reached the machine. */
  delivered(quote: SimulatedQuote): void {
    if (this.watched.length === 0) return;
    const { scene, violate, mayExit } = this.parts;
    const { now } = scene.world;
    const troubles = scene.plan.troubles.filter(({ fault }) => !HARMLESS.has(fault));
    // A suspended machine is held up by its trouble's figure.
    const isTroubled = troubles.some(({ fault, from, to, figure }) => now >= from && now <= (fault === 'F57' ? from + figure : to));
    if (!mayExit() || scene.machine.isHeldUp || isTroubled) this.disturbed();
    for (const watched of this.watched) {
      if (!isOwn(watched, quote)) continue;
      const { name } = watched;
      if (this.isDust(watched, quote)) this.dueByRow.delete(name);
      const why = now > this.quietFrom ? this.whyDue(watched, quote) : null;
      if (why === null) this.dueSince.delete(name);
      else {
        const since = this.dueSince.get(name) ?? now;
        this.dueSince.set(name, since);
        if (now - since > LEFT_MS + LEFT_QUOTES * scene.plan.cadenceMs)
          violate('I07b', `an exit of ${name} is due since ${now - since} ms (${why}), and no order of it has left`);
      }
    }
  }

  private disturbed(): void {
    this.dueSince.clear();
    this.best.clear();
    this.quietFrom = this.parts.scene.world.now + QUIET_MS;
  }

  /** True where nothing is held, or a rest that no order may close. */
  private isDust({ id, product }: WatchedPosition, { buy, sell }: Pick<SimulatedQuote, 'buy' | 'sell'>): boolean {
    const { minSize = 0, minNotionalValue = 0 } = PRODUCTS.find(({ code }) => code === product) ?? {};
    const least = minSize * (this.parts.scene.troubles.seen.has('F19') ? RAISED : 1);
    const size = this.parts.holdings.position(product, id);
    return Math.abs(size) < least * 1.1 || Math.abs(size) * (size > 0 ? sell.price : buy.price) < minNotionalValue * 1.5;
  }

  private whyDue(watched: WatchedPosition, { buy, sell }: SimulatedQuote): string | null {
    const { name, id, product, exits } = watched;
    const { holdings, scene } = this.parts;
    const { average, openedAt } = holdings.of(product, id);
    const size = holdings.position(product, id);
    const price = size > 0 ? sell.price : buy.price;
    if (this.isDust(watched, { buy, sell }) || holdings.isOpen(product)) return null;
    if (this.dueByRow.get(name) === openedAt) return 'its row says so';
    const gainPct = (size > 0 ? 1 : -1) * (price / average - 1) * 100;
    const { stopLossPct, takeProfitPct, trailingPct, activateAtPct = 0, maxHoldSeconds, net } = exits ?? {};
    const known = this.best.get(name);
    const isBetter = known?.openedAt !== openedAt || (size > 0 ? price > known.price : price < known.price);
    const best = isBetter ? { openedAt, price } : known;
    this.best.set(name, best);
    const backPct = (size > 0 ? 1 : -1) * (1 - price / best.price) * 100;
    const bestPct = (size > 0 ? 1 : -1) * (best.price / average - 1) * 100;
    if (net !== true && bestPct > Number(activateAtPct) * PAST && backPct > Number(trailingPct) * PAST)
      return `${backPct.toFixed(3)} % by ${trailingPct} % back`;
    if (gainPct < -Number(stopLossPct) * PAST) return `${gainPct.toFixed(3)} % by ${stopLossPct} % to lose`;
    if (net !== true && gainPct > Number(takeProfitPct) * PAST) return `${gainPct.toFixed(3)} % by ${takeProfitPct} % to win`;
    return scene.world.now - openedAt > Number(maxHoldSeconds) * 1_000 * PAST ? `held for more than ${maxHoldSeconds} s` : null;
  }
}
