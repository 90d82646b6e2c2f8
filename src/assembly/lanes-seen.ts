import type { Numbered } from '#domain/event.ts';
import type { LaneId, Millis } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { LaneSeen } from '#report/seen.ts';

const MINUTE_MS = 60_000;

/** One lane, written at each of its quotes. */
class LaneNotes {
  quote: Quote | undefined;
  quoteAt: Millis | undefined;
  quotes = 0;
  readonly lately = new LastMinute();
}

/** Counts what came in the last minute, exactly: one entry for each millisecond in which something came. */
class LastMinute {
  private readonly times: Millis[] = [];
  private readonly counts: number[] = [];
  private first = 0;

  add(at: Millis): void {
    const { times, counts } = this;
    this.forget(at);
    const last = times.length - 1;
    if (last >= this.first && times[last] === at) counts[last] = (counts[last] ?? 0) + 1;
    else {
      times.push(at);
      counts.push(1);
    }
  }

  at(now: Millis): number {
    this.forget(now);
    let sum = 0;
    for (let place = this.first; place < this.times.length; place++) sum += this.counts[place] ?? 0;
    return sum;
  }

  private forget(now: Millis): void {
    const { times, counts } = this;
    while (this.first < times.length && (times[this.first] ?? 0) <= now - MINUTE_MS) this.first += 1;
    if (this.first < 256 || this.first * 2 < times.length) return;
    times.splice(0, this.first);
    counts.splice(0, this.first);
    this.first = 0;
  }
}

/** The last quote of each standing lane of a run, and how many came, from the events as they are recorded. */
export class LanesSeen {
  private readonly lanes: ReadonlyMap<LaneId, LaneNotes>;
  private readonly staleMsOf: (lane: LaneId) => Millis;

  constructor(lanes: Iterable<LaneId>, staleMsOf: (lane: LaneId) => Millis) {
    this.lanes = new Map([...lanes].map((lane) => [lane, new LaneNotes()]));
    this.staleMsOf = staleMsOf;
  }

  take({ at, event }: Numbered): void {
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
  }

  of(lane: LaneId, now: Millis): Omit<LaneSeen, 'phase' | 'since' | 'why'> {
    const { quote, quoteAt, quotes, lately } = this.lanes.get(lane) ?? new LaneNotes();
    return { lane, quote, quoteAt, staleMs: this.staleMsOf(lane), quotes, lastMinute: lately.at(now) };
  }
}
