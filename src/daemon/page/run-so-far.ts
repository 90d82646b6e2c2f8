import { type DecisionRecord, decisionOf } from '#adapters/journal/records.ts';
import type { Decision } from '#domain/decision.ts';
import { isoTime, type Millis } from '#domain/names.ts';
import { type FillText, isFeeInBase, type OrderText } from '#domain/order.ts';
import type { RoundTripView, StrategyPastView } from '#server/page/past-view.ts';
import { decisionView } from './decision-view.ts';
import type { PastTrades } from './past-trades.ts';

interface Tally {
  last: DecisionRecord | null;
  orders: number;
  fills: number;
  refusals: number;
  readonly costs: Map<string, { fee: number; spread: number; slippage: number }>;
}

const newTally = (): Tally => ({ last: null, orders: 0, fills: 0, refusals: 0, costs: new Map() });

/** An open order with half the spread of its quote. */
interface Open {
  readonly order: OrderText;
  readonly halfSpread: number;
}

/** The acts and costs of strategies, from the rows of a run in order. */
export class RunSoFar {
  private readonly strategies = new Map<string, Tally>();
  private readonly trips = new Map<string, RoundTripView>();
  /** Half the spread of the quote that each intent saw, by order. */
  private readonly spreads = new Map<string, number>();
  private readonly open = new Map<string, Open>();

  add(record: DecisionRecord): void {
    const { strategy } = record;
    if (strategy === null) return;
    const tally = this.tallyOf(strategy);
    const decision = decisionOf(record);
    if (!STANDING.includes(decision.kind)) tally.last = record;
    this.count(decision, tally);
  }

  /** Every strategy that a row was about or that closed something on the day of `now`, in an earlier run perhaps. */
  perStrategy(trades: PastTrades, now: Millis): readonly StrategyPastView[] {
    const closed = trades.closedOn(now);
    return [...new Set([...this.strategies.keys(), ...closed.keys()])].map((id) => {
      const { last, costs, ...counts } = this.strategies.get(id) ?? newTally();
      return {
        id,
        last: last === null ? null : decisionView(last, (order) => trades.closedBy(order)),
        ...counts,
        costs: Array.from(costs, ([currency, each]) => ({ currency, ...each })),
        closedToday: (closed.get(id) ?? []).map(({ book: _, ...sum }) => sum),
      };
    });
  }

  roundTrips(): readonly RoundTripView[] {
    return [...this.trips.values()];
  }

  private count(decision: Decision, tally: Tally): void {
    const id = decision.orderId;
    switch (decision.kind) {
      case 'intent': {
        const { buy, sell } = decision.detail.quote;
        if (id !== null) this.spreads.set(id, Math.max(0, buy - sell) / 2);
        return;
      }
      case 'refused':
        // The row that ends a streak of refusals counts for all between the first and itself.
        tally.refusals += Math.max(1, (decision.detail.repeated ?? 2) - 1);
        if (id !== null) this.spreads.delete(id);
        return;
      case 'approved': {
        const { order } = decision.detail;
        tally.orders += 1;
        this.open.set(order.id, { order, halfSpread: this.spreads.get(order.id) ?? 0 });
        this.spreads.delete(order.id);
        return;
      }
      case 'accepted':
      case 'rejected':
      case 'unknown': {
        const { roundTripMs } = decision.detail;
        const open = id === null ? undefined : this.open.get(id);
        if (open && roundTripMs !== null) {
          const { lane } = open.order;
          this.trips.set(lane, { lane, at: isoTime(decision.at), ms: Math.round(roundTripMs * 10) / 10 });
        }
        if (decision.kind === 'accepted') this.filled(tally, open, decision.detail.fill);
        if (id !== null && decision.kind !== 'unknown') this.open.delete(id);
        return;
      }
      case 'resolved':
        if (decision.detail.fill) this.filled(tally, id === null ? undefined : this.open.get(id), decision.detail.fill);
        if (id !== null) this.open.delete(id);
        return;
      case 'expired':
      case 'not_sent':
        if (id !== null) this.open.delete(id);
        return;
      default:
        return;
    }
  }

  private filled(tally: Tally, open: Open | undefined, fill: FillText): void {
    const size = Number(fill.size);
    const price = Number(fill.price);
    tally.fills += 1;
    const costs = tally.costs.get(fill.quoteCcy) ?? { fee: 0, spread: 0, slippage: 0 };
    tally.costs.set(fill.quoteCcy, costs);
    costs.fee += Number(fill.fee) * (isFeeInBase(fill) ? price : 1);
    if (!open) return;
    costs.spread += open.halfSpread * size;
    costs.slippage += (price - Number(open.order.price)) * size * (fill.side === 'buy' ? 1 : -1);
  }

  private tallyOf(id: string): Tally {
    let tally = this.strategies.get(id);
    if (!tally) {
      tally = newTally();
      this.strategies.set(id, tally);
    }
    return tally;
  }
}

/** Kinds of rows that report state and no act of a strategy. */
export const STANDING: readonly string[] = ['peak', 'state', 'worked', 'working', 'learned', 'blocked'];
