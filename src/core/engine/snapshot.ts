import { isoTime, type LaneId, type Millis, type ProductCode, type StrategyId } from '#domain/names.ts';
import type { PastSignal } from '#domain/outside-signal.ts';
import type { Reason } from '#domain/reasons.ts';
import type { TimeState } from '#domain/time-state.ts';
import type { EngineParts } from './engine-parts.ts';

/** What a book holds of a product. */
interface HeldText {
  readonly id: string;
  readonly product: ProductCode;
  readonly position: string;
  /** The position with everything open at its worse end. */
  readonly low: string;
  readonly high: string;
}

/** What the engine is doing at one instant, as plain data for people and monitors. Sizes and prices are decimal text. */
export interface Snapshot {
  readonly halted: boolean;
  /** HALTED and DISARMED: no order goes out; REDUCING: only orders that shrink a position. */
  readonly trading: 'ACTIVE' | 'REDUCING' | 'DISARMED' | 'HALTED';
  readonly time: TimeState;
  /** Until when openings wait because the service answered 429; null if it did not. */
  readonly waitUntil: string | null;
  readonly lanes: readonly {
    readonly lane: LaneId;
    readonly phase: string;
    /** Why its connection is not what it should be; empty otherwise. */
    readonly why: string;
    readonly epoch: number;
    /** When its last quote came. */
    readonly quoteAt: string | null;
    /** Why no order may use it now, or null. */
    readonly untradable: Reason | null;
  }[];
  readonly strategies: readonly (HeldText & { readonly paused: boolean; readonly disabled: boolean })[];
  /** What other books hold: `manual`, and strategies that are configured no more. */
  readonly otherBooks: readonly HeldText[];
  readonly orders: readonly {
    readonly order: string;
    readonly strategy: string;
    readonly product: ProductCode;
    readonly side: string;
    readonly state: string;
    readonly size: string;
    readonly price: string;
    readonly since: string;
  }[];
  /** Orders of unknown outcome, which are among `orders`. */
  readonly unknowns: number;
  /** The last signal of each source from outside. */
  readonly signals: readonly PastSignal[];
}

/** Reads the snapshot. Changes nothing. */
export function snapshotOf({ market, books, host, state, clockState, monitor, strategies }: EngineParts, now: Millis): Snapshot {
  const waitUntil = monitor.wait.endsAt(now);
  return {
    halted: state.isHalted,
    trading: state.isHalted ? 'HALTED' : state.isDisarmed ? 'DISARMED' : state.reducing === null ? 'ACTIVE' : 'REDUCING',
    time: clockState.state,
    waitUntil: waitUntil === null ? null : isoTime(waitUntil),
    lanes: [...market.lanes()].map(({ lane, phase, why, epoch, lastQuoteAt }) => ({
      lane: lane.id,
      phase,
      why,
      epoch,
      quoteAt: lastQuoteAt === undefined ? null : isoTime(lastQuoteAt),
      untradable: market.untradable(lane.id, now),
    })),
    strategies: strategies.map(({ id, product }) => ({
      ...heldIn(books, id, product),
      paused: state.isPaused(id),
      disabled: host.isDisabled(id),
    })),
    otherBooks: otherBooks(books, strategies),
    orders: [...books.openOrders()].map(({ id, strategy, product, side, state: at, figures, intentAt }) => ({
      order: id,
      strategy,
      product,
      side,
      state: at,
      size: figures.size.toString(),
      price: figures.price.toString(),
      since: isoTime(intentAt),
    })),
    unknowns: books.unknowns,
    signals: host.lastSignals.all(),
  };
}

function heldIn(books: EngineParts['books'], id: StrategyId, product: ProductCode): HeldText {
  const { low, high } = books.interval(id, product);
  return { id, product, position: books.book(id, product).size.toString(), low: low.toString(), high: high.toString() };
}

function otherBooks(books: EngineParts['books'], strategies: EngineParts['strategies']): readonly HeldText[] {
  const configured = new Set(strategies.map(({ id, product }) => `${id} ${product}`));
  return [...books.positions()]
    .filter(({ strategy, product }) => !configured.has(`${strategy} ${product}`))
    .map(({ strategy, product }) => heldIn(books, strategy, product))
    .filter(({ low, high }) => low !== '0' || high !== '0');
}
