import type { LearnedSize, PastValue } from '#domain/event.ts';
import type { FreshnessOf } from '#domain/freshness.ts';
import type { Lane, LaneChange } from '#domain/lane.ts';
import { type LaneId, type Millis, type ProductCode, productCode } from '#domain/names.ts';
import type { Product } from '#domain/product.ts';
import type { Quote } from '#domain/quote.ts';
import type { Reason } from '#domain/reasons.ts';
import { LaneState, type QuarantineChange } from './lane-state.ts';
import type { LaneFault, LaneStatus } from './lane-status.ts';
import { ZeroSpread } from './zero-spread.ts';

interface MarketOptions {
  readonly freshnessOf: FreshnessOf;
  /** A price further than this from the one before, in percent, is bad; null, or absent: none is for that. */
  readonly jumpPct?: number | null;
  /** Told of a quote without a spread in a larger size than any before. */
  readonly onLargest?: (quote: Quote, size: number) => void;
  /** Told when a lane is set aside because of its prices, and when it is back (F33). */
  readonly onQuarantine?: (lane: Lane, change: QuarantineChange) => void;
}

/** Shortest silence after which a price that is only looked at says nothing; as of a rate. */
const SILENT_INPUT_MS = 10_000;

/**
 * All lanes and their latest quotes. Pure and synchronous: it sets no timer, and whoever asks brings the time. What a
 * lane makes of a quote stands in `lane-state.ts`.
 */
export class MarketData {
  private readonly options: MarketOptions;
  private readonly states = new Map<LaneId, LaneState>();
  private readonly setAside = new Map<LaneId, ProductCode>();
  private readonly listed = new Map<ProductCode, Product>();

  private readonly zeroSpread: ZeroSpread;

  constructor(options: MarketOptions) {
    this.options = options;
    this.zeroSpread = new ZeroSpread((quote, size) => options.onLargest?.(quote, size));
  }

  /** Begins to follow a lane. A lane that is open already stays as it is. */
  open(lane: Lane): void {
    if (this.states.has(lane.id)) return;
    const { freshnessOf, jumpPct = null, onQuarantine } = this.options;
    const tell = (change: QuarantineChange): void => {
      if (change.on) this.setAside.set(lane.id, lane.product);
      else this.setAside.delete(lane.id);
      onQuarantine?.(lane, change);
    };
    const freshness = freshnessOf(lane.product);
    const largest = this.zeroSpread.record(lane.product);
    const onZeroSpread = (quote: Quote) => this.zeroSpread.saw(quote, largest);
    const state = new LaneState(lane, { freshness, jumpPct, largest, onQuarantine: tell, onZeroSpread });
    state.stepKnown(this.listed.get(lane.product)?.sizeIncrement);
    this.states.set(lane.id, state);
  }

  /** Forgets a lane that was lent. */
  close(lane: LaneId): void {
    this.states.delete(lane);
    this.setAside.delete(lane);
  }

  /** The products that the service lists, which replace those known before: their steps bound what sizes may differ by. */
  products(list: Iterable<Product>): void {
    this.listed.clear();
    for (const product of list) this.listed.set(product.code, product);
    for (const state of this.states.values()) state.stepKnown(this.listed.get(state.lane.product)?.sizeIncrement);
  }

  /** What the feed says of a lane's connection. News of an earlier subscription is ignored (I22). */
  change(change: LaneChange, at: Millis): void {
    this.states.get(change.lane)?.change(change, at);
  }

  /** Screens a quote and keeps it; null when it became its lane's latest, else why not. */
  accept(quote: Quote, at: Millis): Reason | null {
    const state = this.states.get(quote.lane);
    return state ? state.accept(quote, at) : 'QUOTE_UNSUBSCRIBED';
  }

  /** Of what was recorded, what these lanes would take as new ones: signals warm up on no quote that live refuses. */
  screened(past: readonly PastValue[]): readonly PastValue[] {
    const { freshnessOf, jumpPct = null } = this.options;
    const fresh = new MarketData({ freshnessOf, jumpPct });
    fresh.products(this.listed.values());
    for (const { lane } of this.states.values()) {
      fresh.open(lane);
      fresh.change({ lane: lane.id, epoch: 0, phase: 'acked' }, 0);
    }
    return past.filter((one) => !('quote' in one) || fresh.accept({ ...one.quote, epoch: 0 }, one.at) === null);
  }

  /** A lane that is followed: for who asks at each quote. */
  stateOf(lane: LaneId): LaneState | undefined {
    return this.states.get(lane);
  }

  /** Takes over what earlier runs have learned. */
  restore(learned: readonly LearnedSize[]): void {
    for (const { product, size } of learned) this.zeroSpread.restore(productCode(product), Number(size));
  }

  /** The newest quote of the lane's present subscription: for signals and display. Ask `untradable` before trading on it. */
  latest(lane: LaneId): Quote | undefined {
    return this.states.get(lane)?.latest;
  }

  /** What is known of a lane. A live view: its figures move on. */
  lane(id: LaneId): LaneStatus | undefined {
    return this.states.get(id);
  }

  lanes(): Iterable<LaneStatus> {
    return this.states.values();
  }

  /** The largest size in which the product was ever quoted without a spread; undefined for none. */
  largestZeroSpread(product: ProductCode): number | undefined {
    return this.zeroSpread.of(product);
  }

  /** True while a lane of the product is set aside: nothing is opened in it on any lane. */
  isQuarantined(product: ProductCode): boolean {
    for (const one of this.setAside.values()) if (one === product) return true;
    return false;
  }

  /** True while a lane of the product has prices that count. */
  isPriced(product: ProductCode): boolean {
    for (const { lane, isUp, latest } of this.states.values()) if (lane.product === product && isUp && latest) return true;
    return false;
  }

  /** True where a lane had no quote for so long that its last price says nothing: ten seconds, or what is usual on it. One without a price says none. */
  isSilent(lane: LaneId, now: Millis): boolean {
    const state = this.states.get(lane);
    return state?.lastQuoteAt !== undefined && now - state.lastQuoteAt >= Math.max(SILENT_INPUT_MS, state.staleMs);
  }

  /** Why no order may use the lane's latest quote at `now`, or null. Whether the quote itself expires is for risk. */
  untradable(lane: LaneId, now: Millis): LaneFault | null {
    const state = this.states.get(lane);
    return state ? state.untradable(now) : 'LANE_DOWN';
  }
}
