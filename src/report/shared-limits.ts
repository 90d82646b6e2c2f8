import type { Decision, DecisionOf } from '#domain/decision.ts';
import { type Headline, headline } from './headline.ts';
import type { HeldByFills } from './held-by-fills.ts';
import { timesOf } from './refused-words.ts';

/** Whose positions a limit over all strategies counts, and the words for it. */
const SHARED = {
  MAX_POSITION_VALUE: {
    setting: 'risk.maxPositionValue',
    counts: 'counts the position of all strategies in a product together',
    isOfProduct: true,
  },
  MAX_TOTAL_VALUE: { setting: 'risk.maxTotalValue', counts: 'counts the positions of all strategies together', isOfProduct: false },
  INSUFFICIENT_FUNDS: { setting: 'the balance of the account', counts: 'is what all strategies buy with', isOfProduct: false },
} as const;

type SharedReason = keyof typeof SHARED;

const isShared = (reason: string | null): reason is SharedReason => reason !== null && Object.hasOwn(SHARED, reason);

/** Orders of a strategy that a limit over all strategies refused while another strategy held a position. */
interface RefusedOrders {
  readonly strategy: string;
  /** The strategies that held positions at the first of them. */
  readonly by: readonly string[];
  count: number;
}

/** Reads decisions for orders that were refused since another strategy held positions. */
export class SharedLimits {
  private readonly held: HeldByFills;
  private readonly kept = new Map<SharedReason, Map<string, RefusedOrders>>();

  constructor(held: HeldByFills) {
    this.held = held;
  }

  add(decision: Decision): void {
    if (decision.kind === 'refused') this.refused(decision);
  }

  /** One line for each limit. `isPlayed`: true in a backtest, which can be played for each strategy alone. */
  headlines(isPlayed: boolean): readonly Headline[] {
    return [...this.kept].map(([reason, ofStrategies]) => {
      const { setting, counts } = SHARED[reason];
      const all = [...ofStrategies.values()];
      const refused = all.map(({ strategy, by, count }) => {
        const orders = count === 1 ? 'an order' : `${count} orders`;
        return `${orders} of ${strategy} while ${by.join(' and ')} held ${by.length === 1 ? 'a position' : 'positions'}`;
      });
      const then = isPlayed ? `: raise it, or play each alone (--strategy ${all[0]?.strategy})` : '';
      const text = `strategies kept each other from trading: ${setting} ${counts}, and refused ${refused.join(', and ')} (${reason})${then}`;
      return headline('SHARED_LIMITS', text);
    });
  }

  private refused({ strategy, product, reason, detail }: DecisionOf<'refused'>): void {
    if (strategy === null || !isShared(reason)) return;
    const { isOfProduct } = SHARED[reason];
    const others = this.held.all.filter((one) => one.strategy !== strategy && (!isOfProduct || one.product === product));
    if (others.length === 0) return;
    const ofReason = this.kept.get(reason) ?? new Map<string, RefusedOrders>();
    this.kept.set(reason, ofReason);
    const kept = ofReason.get(strategy) ?? { strategy, by: [...new Set(others.map((one) => one.strategy))], count: 0 };
    kept.count += timesOf(detail.repeated);
    ofReason.set(strategy, kept);
  }
}
