import { invariant } from '#domain/errors.ts';
import type { InboxEvent, NumberedEvent } from '#domain/event.ts';
import type { IndicativeQuote } from '#domain/indicative-quote.ts';
import type { LaneChange } from '#domain/lane.ts';
import type { LaneId } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { Clock } from '#ports/clock.ts';
import type { FeedSink } from '#ports/feed.ts';
import type { InboxLog } from '#ports/inbox-log.ts';

interface InboxOptions {
  readonly clock: Clock;
  readonly log: InboxLog;
  readonly handle: (event: NumberedEvent) => void;
  /** Runs `drain` once in this turn of the event loop, after the network was read. */
  readonly soon: (drain: () => void) => void;
  /** Number of the first event. */
  readonly first: number;
}

/** A place in the queue: an event, or a lane whose newest quote will be taken when its turn comes. One shape, for speed. */
type Place = { event: InboxEvent; readonly quote: undefined } | QuotePlace;

/** A lane's place, used again and again; `quote` is null while none waits. */
interface QuotePlace {
  readonly event: undefined;
  quote: Quote | null;
}

/** Maximum number of lanes with a place. Above it, lanes without a waiting quote lose theirs. */
const MAX_PLACES = 5_000;

/** A place of an input that is only looked at, and whose newest quote is the one that counts. */
interface ShownPlace {
  event: InboxEvent & { kind: 'shown' };
  readonly quote: undefined;
}

/**
 * The one inbox. All that a decision can depend on enters here, is numbered and timed at hand-over, recorded, and
 * handled to its end before the next. Quotes conflate: while a lane's quote waits, a newer one takes its place, and the
 * older is recorded without a number. Everything else keeps its order and is never dropped.
 */
export class Inbox implements FeedSink {
  private readonly options: InboxOptions;
  private queue: Place[] = [];
  private readonly places = new Map<LaneId, QuotePlace>();
  private readonly shownPlaces = new Map<LaneId, ShownPlace>();
  private next: number;
  private latest = Number.NEGATIVE_INFINITY;
  private asked = false;
  private draining = false;
  private readonly drainSoon = (): void => this.drain();

  constructor(options: InboxOptions) {
    this.options = options;
    this.next = options.first;
  }

  post(event: InboxEvent): void {
    this.queue.push({ event, quote: undefined });
    this.ask();
  }

  quote(quote: Quote): void {
    let place = this.places.get(quote.lane);
    if (!place) {
      if (this.places.size >= MAX_PLACES) this.forgetIdle();
      place = { event: undefined, quote: null };
      this.places.set(quote.lane, place);
    }
    const waiting = place.quote;
    place.quote = quote;
    if (waiting !== null) this.options.log.conflated(this.options.clock.now(), waiting);
    else {
      this.queue.push(place);
      this.ask();
    }
  }

  /** Display quotes conflate as others do; the replaced one is not recorded, since no decision can use it. */
  shown(source: LaneId, shown: IndicativeQuote): void {
    const event = { kind: 'shown', source, shown } as const;
    const waiting = this.shownPlaces.get(source);
    if (waiting) {
      waiting.event = event;
      return;
    }
    const place: ShownPlace = { event, quote: undefined };
    this.shownPlaces.set(source, place);
    this.queue.push(place);
    this.ask();
  }

  /** A change of a lane closes its slot: a quote of the next epoch must not overtake the change. */
  change(change: LaneChange): void {
    this.places.delete(change.lane);
    this.post({ kind: 'lane', change });
  }

  /** True where what is posted and drained now is the first event of its millisecond. */
  get isFresh(): boolean {
    return this.queue.length === 0 && this.latest < this.options.clock.now();
  }

  /** Events that wait for their turn. */
  get waiting(): number {
    return this.queue.length;
  }

  /** Events that were handled, of earlier runs as well. */
  get handled(): number {
    return this.next - 1;
  }

  /** Handles everything that waits, and what is added meanwhile. */
  drain(): void {
    if (this.draining) return;
    this.asked = false;
    this.draining = true;
    try {
      while (this.queue.length > 0) {
        const batch = this.queue;
        this.queue = [];
        for (const place of batch) {
          const { event, quote } = place;
          if (event === undefined) {
            if (quote === null) invariant(false, 'a lane that has no quote came to its turn');
            place.quote = null;
            this.number({ kind: 'quote', quote });
            continue;
          }
          if (event.kind === 'shown') this.shownPlaces.delete(event.source);
          this.number(event);
        }
      }
    } finally {
      this.draining = false;
    }
  }

  /**
   * Takes a quote as `quote` does, and drains. For who plays time itself: a quote that finds nothing waiting is handled
   * without a place in the queue.
   */
  play(quote: Quote): void {
    if (this.draining || this.queue.length > 0) {
      this.quote(quote);
      return this.drain();
    }
    this.draining = true;
    try {
      this.number({ kind: 'quote', quote });
    } finally {
      this.draining = false;
    }
    this.drain();
  }

  /** Counts events that whoever plays time has handled itself, as if each had been handed over. Nothing waits meanwhile. */
  pass(events: number): void {
    invariant(!this.draining && this.queue.length === 0, 'events were passed over while others wait');
    this.next += events;
  }

  private number(event: InboxEvent): void {
    const { clock, log, handle } = this.options;
    const numbered: NumberedEvent = { n: this.next, at: clock.now(), event };
    this.latest = numbered.at;
    this.next += 1;
    log.append(numbered);
    handle(numbered);
  }

  private ask(): void {
    if (this.asked || this.draining) return;
    this.asked = true;
    this.options.soon(this.drainSoon);
  }

  /** Drops places of lent lanes, whose names are never used again. */
  private forgetIdle(): void {
    for (const [lane, { quote }] of this.places) if (quote === null) this.places.delete(lane);
  }
}
