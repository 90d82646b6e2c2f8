import { MinuteCount } from '#core/risk/order-counts.ts';
import type { NumberedEvent } from '#domain/event.ts';
import type { LaneId, Millis } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { LaneSnapshot } from '#report/strategy-snapshot.ts';

/** One lane, written at each of its quotes. */
class LaneNotes {
  quote: Quote | undefined;
  quoteAt: Millis | undefined;
  quotes = 0;
  readonly lately = new MinuteCount();
}

/** The last quote of each standing lane of a run, and how many came, from the events as they are recorded. */
export class LaneTracker {
  private readonly lanes: ReadonlyMap<LaneId, LaneNotes>;
  private readonly staleMsOf: (lane: LaneId) => Millis;

  constructor(lanes: Iterable<LaneId>, staleMsOf: (lane: LaneId) => Millis) {
    this.lanes = new Map([...lanes].map((lane) => [lane, new LaneNotes()]));
    this.staleMsOf = staleMsOf;
  }

  add({ at, event }: NumberedEvent): void {
    if (event.kind === 'quote') this.quote(event.quote, at);
  }

  /** Also of a quote that a newer one replaced before its turn. */
  quote(quote: Quote, at: Millis): void {
    const notes = this.lanes.get(quote.lane);
    if (notes === undefined) return;
    notes.quote = quote;
    notes.quoteAt = at;
    notes.quotes += 1;
    notes.lately.add(at);
    // What is older is forgotten: nobody may ask for days.
    notes.lately.inLastMinute(at);
  }

  of(lane: LaneId, now: Millis): Omit<LaneSnapshot, 'phase' | 'since' | 'why'> {
    const { quote, quoteAt, quotes, lately } = this.lanes.get(lane) ?? new LaneNotes();
    return { lane, quote, quoteAt, staleMs: this.staleMsOf(lane), quotes, lastMinute: lately.inLastMinute(now) };
  }
}
