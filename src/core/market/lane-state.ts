import type { Decimal } from '#domain/decimal.ts';
import type { Freshness } from '#domain/freshness.ts';
import type { Lane, LaneChange } from '#domain/lane.ts';
import type { Millis, QuoteId } from '#domain/names.ts';
import { midOf, type Quote } from '#domain/quote.ts';
import type { QuoteColumns, RowRange } from '#domain/quote-columns.ts';
import type { Reason } from '#domain/reasons.ts';
import type { LaneCounters, LaneFault, LanePhase, LaneStatus } from './lane-status.ts';
import { type OddRows, oddRowsOf } from './odd-rows.ts';
import { type SizeCheck, sizeCheckFor } from './size-check.ts';
import type { LargestSize } from './zero-spread.ts';

interface LaneStateOptions {
  readonly freshness: Freshness;
  /** How far a price may be from the one before, in percent, before it counts as bad; null: as far as it likes. */
  readonly jumpPct: number | null;
  /** What is learned of the lane's product. */
  readonly largest: LargestSize;
  readonly onQuarantine: (change: QuarantineChange) => void;
  /** Told of each quote without a spread. */
  readonly onZeroSpread: (quote: Quote) => void;
}

/** The last ids of a lane: 64 of them span half a minute at two quotes a second. The oldest goes when a new one comes. */
const KEPT_IDS = 64;
/** Characters at the end of an id that its sum is made of. Ids that differ before them alone are told apart all the same. */
const SUMMED = 4;
/** Sums are told apart by so many bits before any id is looked at: that leaves one look in sixteen. */
const TOLD_APART = 1023;

/**
 * One lane's state, from what its connection and its quotes say. Three rules that the fields serve:
 * - a quote counts only within the subscription that brought it, and only after the ACK (F26, F29, I22);
 * - a lane is stale `staleMs` after its last quote; after such a gap one quote does not revive it, two within `staleMs`
 *   do (F36), unless one is said to be enough; the first quote after an ACK counts as fresh;
 * - quotes with bad prices set the lane aside (`Quarantine`, F33). Nothing acts on its quotes meanwhile.
 */
export class LaneState implements LaneStatus {
  readonly lane: Lane;
  readonly largest: LargestSize;
  phase: LanePhase = 'new';
  since: Millis | undefined;
  why = '';
  epoch = 0;
  latest: Quote | undefined;
  /** Numbers at all times, which are kept in place; no number where there is no time. */
  private received: Millis = Number.NaN;
  private quoted: Millis = Number.NaN;
  private readonly freshness: Freshness;
  private readonly ids = new RecentIds();
  private readonly refused: Partial<Record<Reason, number>> = {};
  private accepted = 0;
  private wentBack = 0;
  private sizeFits: SizeCheck;
  /** The lane's base amount, which most sizes are without a doubt; no number where the amount is a value. */
  private readonly base: number;
  /** False from a gap until two quotes have come close enough together. */
  private regular = false;
  private readonly quarantine: Quarantine;
  private readonly jumpPct: number | null;
  private readonly onZeroSpread: (quote: Quote) => void;
  /** Decides with the amount which sizes fit, as a text. */
  private step = '';
  private odd: { readonly columns: QuoteColumns; readonly step: string; readonly rows: OddRows } | undefined;

  constructor(lane: Lane, { freshness, jumpPct, largest, onQuarantine, onZeroSpread }: LaneStateOptions) {
    this.lane = lane;
    this.largest = largest;
    this.base = 'base' in lane.amount ? lane.amount.base.toNumber() : Number.NaN;
    this.freshness = freshness;
    this.jumpPct = jumpPct;
    this.onZeroSpread = onZeroSpread;
    this.quarantine = new Quarantine({ jumpPct, tell: onQuarantine });
    this.sizeFits = sizeCheckFor(lane, undefined);
  }

  get receivedAt(): Millis | undefined {
    return Number.isNaN(this.received) ? undefined : this.received;
  }

  get lastQuoteAt(): Millis | undefined {
    return Number.isNaN(this.quoted) ? undefined : this.quoted;
  }

  /** How long the lane may be silent before it is stale. */
  get staleMs(): Millis {
    return this.freshness.staleMs;
  }

  get quarantined(): boolean {
    return this.quarantine.on;
  }

  get isUp(): boolean {
    return this.phase === 'acked' && !this.quarantine.on;
  }

  /** True once the lane has been without a subscription for so long, or is set aside. */
  isDownFor(ms: Millis, now: Millis): boolean {
    const { phase, since, quarantine } = this;
    if (quarantine.on) return true;
    return phase !== 'acked' && phase !== 'new' && since !== undefined && now - since >= ms;
  }

  get counters(): LaneCounters {
    const { accepted, refused, wentBack } = this;
    return { accepted, refused: { ...refused }, repeated: refused.QUOTE_REPEATED ?? 0, wentBack };
  }

  /** The product's size step, or undefined where the service does not list it. */
  stepKnown(sizeIncrement: Decimal | undefined): void {
    this.sizeFits = sizeCheckFor(this.lane, sizeIncrement);
    this.step = String(sizeIncrement);
  }

  change(change: LaneChange, at: Millis): void {
    if (change.epoch < this.epoch) return;
    const sameEpoch = change.epoch === this.epoch;
    // A lane that was set aside is tried again: until the service acknowledges it, it is not merely down.
    if (this.phase === 'disabled' && change.phase !== 'acked') {
      if (!sameEpoch) this.latest = undefined;
      this.epoch = change.epoch;
      return;
    }
    // An ACK may also come unasked within a subscription, and then changes nothing.
    const begins = change.phase === 'acked' && this.phase !== 'acked';
    if (!sameEpoch || begins) {
      this.latest = undefined;
      this.received = Number.NaN;
    }
    // Attempts to connect again do not begin a new time without a connection.
    const staysDown = isDown(this.phase) && isDown(change.phase);
    if (!staysDown && (!sameEpoch || change.phase !== this.phase)) this.since = at;
    this.epoch = change.epoch;
    this.phase = change.phase;
    if ('why' in change) this.why = change.why;
    else if (!staysDown) this.why = '';
  }

  /** Screens a quote and keeps it; null when it became the latest, else why not. */
  accept(quote: Quote, at: Millis): Reason | null {
    const reason = this.screen(quote);
    if (reason !== null) return this.refuse(reason);
    if (!this.quarantine.believes(midOf(quote), at)) {
      this.quoted = at;
      return this.refuse('QUOTE_JUMP');
    }
    const { latest } = this;
    const { staleMs, revivedBy } = this.freshness;
    this.regular = latest === undefined || revivedBy === 1 || !(at - this.quoted >= staleMs);
    if (latest !== undefined && quote.validUntil < latest.validUntil) this.wentBack += 1;
    this.latest = quote;
    this.received = at;
    this.quoted = at;
    this.accepted += 1;
    if (quote.buy.price === quote.sell.price) this.onZeroSpread(quote);
    return null;
  }

  /** A quote so long after the one before does not count as fresh by itself. */
  private get gapMs(): Millis {
    return this.freshness.revivedBy === 1 ? Number.POSITIVE_INFINITY : this.freshness.staleMs;
  }

  /** What is known of recorded rows as quotes of this lane. */
  oddRows(columns: QuoteColumns): OddRows {
    const { lane, base, jumpPct, step, odd } = this;
    if (odd?.columns === columns && odd.step === step) return odd.rows;
    const rows = oddRowsOf(columns, { amount: `${lane.id} ${step}`, base, fits: this.sizeFits, jumpPct, gapMs: this.gapMs });
    this.odd = { columns, step, rows };
    return rows;
  }

  /**
   * The first row from `from` on, or `upTo`, at which the lane may do more than take its newest quote. The rows follow the newest
   * quote and belong to its subscription.
   */
  lookAhead(columns: QuoteColumns, [from, upTo]: RowRange): number {
    const { latest, quarantine, largest } = this;
    if (this.phase !== 'acked' || latest === undefined || !this.regular || latest.epoch !== this.epoch) return from;
    const odd = this.oddRows(columns);
    const at = columns.at[from] ?? Number.NaN;
    const mid = ((columns.buy.price[from] ?? Number.NaN) + (columns.sell.price[from] ?? Number.NaN)) / 2;
    if (!odd.isOrdered || !(at - this.quoted < this.gapMs) || !quarantine.wouldBelieve(mid, at)) return from;
    return odd.nextZeroSpread(from, odd.next(from, upTo), largest.worthTelling);
  }

  /** Takes rows before the one that `lookAhead` named. */
  pass(columns: QuoteColumns, [from, to]: RowRange, { quote, at }: LastQuote): void {
    const { validUntil } = columns;
    if (this.oddRows(columns).goesBack || (validUntil[from] ?? 0) < (this.latest?.validUntil ?? 0)) {
      let before = this.latest?.validUntil ?? Number.NaN;
      for (let one = from; one < to; one++) {
        const until = validUntil[one] ?? Number.NaN;
        if (until < before) this.wentBack += 1;
        before = until;
      }
    }
    this.quarantine.refer(midOf(quote), at);
    this.ids.forget(to - from);
    this.latest = quote;
    this.received = at;
    this.quoted = at;
    this.accepted += to - from;
  }

  private refuse(reason: Reason): Reason {
    this.refused[reason] = (this.refused[reason] ?? 0) + 1;
    if (reason === 'QUOTE_PRICE' || reason === 'QUOTE_CROSSED') this.quarantine.bad(BAD[reason]);
    return reason;
  }

  untradable(now: Millis): LaneFault | null {
    if (this.phase === 'disabled') return 'LANE_DISABLED';
    if (this.quarantine.on) return 'LANE_QUARANTINED';
    if (this.phase !== 'acked') return 'LANE_DOWN';
    if (this.latest === undefined || !this.regular || !(now - this.received < this.freshness.staleMs)) return 'LANE_STALE';
    return this.latest.id === null ? 'QUOTE_WITHOUT_ID' : null;
  }

  /** True where a quote that comes next, or that begins a later subscription, will become the newest. Changes nothing. */
  wouldTake(quote: Quote, at: Millis): boolean {
    const isOfNow = this.phase === 'acked' && quote.epoch === this.epoch;
    return (isOfNow || quote.epoch > this.epoch) && this.quoteFault(quote) === null && this.quarantine.wouldBelieve(midOf(quote), at);
  }

  private screen(quote: Quote): Reason | null {
    if (this.phase !== 'acked') return 'QUOTE_UNSUBSCRIBED';
    if (quote.epoch !== this.epoch) return quote.epoch < this.epoch ? 'QUOTE_OLD_EPOCH' : 'QUOTE_UNSUBSCRIBED';
    const quoteFault = this.quoteFault(quote);
    if (quoteFault !== null) return quoteFault;
    if (quote.id === null || this.ids.add(quote.id)) return null;
    // One id may stay while the price moves: then the newest price counts, and what was used stays used.
    const { latest } = this;
    return latest?.id === quote.id && hasMoved(latest, quote) ? null : 'QUOTE_REPEATED';
  }

  /** What is wrong with a quote, whenever it comes. */
  private quoteFault(quote: Quote): Reason | null {
    if (quote.product !== this.lane.product) return 'QUOTE_PRODUCT_MISMATCH';
    const { buy: bought, sell: sold } = quote;
    if (!(bought.size === this.base && sold.size === this.base) && !this.sizeFits(quote)) return 'QUOTE_SIZE_MISMATCH';
    const buy = bought.price;
    const sell = sold.price;
    if (!(buy > 0 && sell > 0 && buy < Number.POSITIVE_INFINITY && sell < Number.POSITIVE_INFINITY)) return 'QUOTE_PRICE';
    return buy < sell ? 'QUOTE_CROSSED' : null;
  }
}

const isDown = (phase: LanePhase): boolean => phase === 'opening' || phase === 'lost' || phase === 'refused';

/** The quote that a span ends with, and when it came. */
interface LastQuote {
  readonly quote: Quote;
  readonly at: Millis;
}

function hasMoved({ buy, sell }: Quote, now: Quote): boolean {
  return buy.price !== now.buy.price || sell.price !== now.sell.price;
}

const BAD = { QUOTE_PRICE: 'zero, negative or no number', QUOTE_CROSSED: 'bought below what it sells at' } as const;

/**
 * Remembers the ids seen lately, in memory that does not grow (I21). A ring with a short sum of each id, and how many of
 * them have which last bits in it: where none has, the id is new and none is looked at.
 */
export class RecentIds {
  private readonly sums = new Int32Array(KEPT_IDS);
  private readonly ids: (QuoteId | undefined)[] = new Array<QuoteId | undefined>(KEPT_IDS).fill(undefined);
  private readonly counts = new Uint8Array(TOLD_APART + 1);
  private next = 0;

  constructor() {
    this.counts[0] = KEPT_IDS;
  }

  /** True when the id is new here; it is remembered then. */
  add(id: QuoteId): boolean {
    const { sums, ids, counts, next } = this;
    // FNV-1a over the last characters.
    let sum = 0x811c9dc5;
    for (let place = Math.max(0, id.length - SUMMED); place < id.length; place++) sum = Math.imul(sum ^ id.charCodeAt(place), 0x01000193);
    const bits = sum & TOLD_APART;
    if (counts[bits] !== 0) for (let place = 0; place < KEPT_IDS; place++) if (sums[place] === sum && ids[place] === id) return false;
    const oldest = (sums[next] ?? 0) & TOLD_APART;
    counts[oldest] = (counts[oldest] ?? 0) - 1;
    counts[bits] = (counts[bits] ?? 0) + 1;
    sums[next] = sum;
    ids[next] = id;
    this.next = (next + 1) & (KEPT_IDS - 1);
    return true;
  }

  /** So many ids came that never come again: each takes a place, and is not remembered. */
  forget(count: number): void {
    const { sums, ids, counts } = this;
    for (let n = Math.min(count, KEPT_IDS), place = this.next; n > 0; n--, place = (place + 1) & (KEPT_IDS - 1)) {
      const bits = (sums[place] ?? 0) & TOLD_APART;
      counts[bits] = (counts[bits] ?? 0) - 1;
      counts[0] = (counts[0] ?? 0) + 1;
      sums[place] = 0;
      ids[place] = undefined;
    }
    this.next = (this.next + count) & (KEPT_IDS - 1);
  }
}

/** Bad prices in a row that set a lane aside, and good ones in a row that bring it back (F33). */
const BAD_IN_A_ROW = 3;
const GOOD_IN_A_ROW = 10;
/** A price of so long ago says nothing about a jump, nor does a bar about the next. */
const MAX_AGE_MS = 60_000;

/** What begins and ends a quarantine, in words. */
export interface QuarantineChange {
  readonly on: boolean;
  readonly why: string;
}

/**
 * Sets a lane aside whose prices cannot be trusted (F33): three in a row that are no price, crossed, or further than
 * `jumpPct` from the last good one. Ten in a row that are good and near to each other bring it back, so that a market which
 * really has moved is believed in the end.
 */
class Quarantine {
  on = false;
  private readonly jumpPct: number | null;
  private readonly tell: (change: QuarantineChange) => void;
  /** The last good price; no number before the first. */
  private reference = Number.NaN;
  private referenceAt: Millis = 0;
  private badRun = 0;
  private goodRun = 0;

  constructor(options: { readonly jumpPct: number | null; readonly tell: (change: QuarantineChange) => void }) {
    this.jumpPct = options.jumpPct;
    this.tell = options.tell;
  }

  /** Whether a price that could be is believed: it is near to those before, and the lane is not set aside. */
  believes(mid: number, at: Millis): boolean {
    if (this.jumps(mid, at)) {
      this.bad(`${mid} after ${this.reference}, further than ${this.jumpPct} %`);
      // From here on the newest is what the next ones must be near to.
      if (this.on) this.refer(mid, at);
      return false;
    }
    this.refer(mid, at);
    if (this.on) this.good();
    return !this.on;
  }

  /** True where such a price is believed, and nothing comes of it but a newer reference. Changes nothing. */
  wouldBelieve(mid: number, at: Millis): boolean {
    return !this.on && !this.jumps(mid, at);
  }

  private jumps(mid: number, at: Millis): boolean {
    const { jumpPct, reference } = this;
    if (jumpPct === null || at - this.referenceAt >= MAX_AGE_MS) return false;
    return Math.abs(mid - reference) > (reference * jumpPct) / 100;
  }

  /** From here on a price is held against this one: of one quote, or the last of a row of which each is near to the one before. */
  refer(mid: number, at: Millis): void {
    this.reference = mid;
    this.referenceAt = at;
    this.badRun = 0;
  }

  /** A bad price, as of a quote that the lane has refused for it. */
  bad(why: string): void {
    this.goodRun = 0;
    this.badRun += 1;
    if (this.on || this.badRun < BAD_IN_A_ROW) return;
    this.on = true;
    this.tell({ on: true, why: `${BAD_IN_A_ROW} bad prices in a row, the last: ${why}` });
  }

  private good(): void {
    this.goodRun += 1;
    if (this.goodRun < GOOD_IN_A_ROW) return;
    this.on = false;
    this.goodRun = 0;
    this.tell({ on: false, why: `${GOOD_IN_A_ROW} good prices in a row` });
  }
}
