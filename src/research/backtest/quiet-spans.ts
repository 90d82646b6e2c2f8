import type { VirtualClock } from '#adapters/time/virtual-clock.ts';
import type { VirtualTimers } from '#adapters/time/virtual-timers.ts';
import type { Engine } from '#core/engine/engine.ts';
import type { Inbox } from '#core/engine/inbox.ts';
import type { QuietQuotes } from '#core/engine/quiet-quotes.ts';
import type { StandingLane } from '#core/engine/standing-lane.ts';
import type { Millis, StrategyId } from '#domain/names.ts';
import type { Quote } from '#domain/quote.ts';
import type { QuoteColumns, RowRange } from '#domain/quote-columns.ts';
import { MAX_LANES, QuoteTape } from '#domain/quote-tape.ts';
import type { RecordedFeed } from '../replay/recorded-feed.ts';
import type { RecordedLane } from '../replay/recorded-lane.ts';

interface QuietSpansOptions {
  readonly clock: VirtualClock;
  readonly timers: VirtualTimers;
  readonly answers: VirtualTimers;
  readonly feed: RecordedFeed;
  readonly inbox: Inbox;
  readonly engine: Engine;
  readonly until: Millis;
}

/** Rows that are checked together: few after a quote that led to an action, twice as many as came before it, more without one. */
const MIN_ROWS = 16;
/** Fewer quotes are played one by one: a look costs as much as two. */
const MIN_SPAN = 3;
const START_ROWS = 64;
const MAX_ROWS = 4_096;
/** Maximum number of single quotes before spans are tried again. */
const MAX_REST = 32;

type Ahead = Parameters<QuietQuotes['pass']>[0];

/** A strategy whose quotes were played one by one, and why. */
export interface PlayedOneByOne {
  readonly strategy: StrategyId;
  readonly why: string;
}

/** Lanes that are played together, with how far each is. */
interface PlayedLanes {
  readonly sources: readonly RecordedLane[];
  readonly lanes: readonly StandingLane[];
  readonly quoteOf: readonly ((row: number) => Quote)[];
  readonly ends: readonly { readonly source: RecordedLane; rows: RowRange }[];
  /** The rows that come next. */
  readonly rows: readonly { readonly columns: QuoteColumns; from: number; readonly isImported: boolean }[];
}

/** Quotes before a place of the tape that have no ids of their own. */
function localIds(tape: QuoteTape, isLocal: readonly boolean[], end: number): number {
  let count = 0;
  for (const [lane, isOf] of isLocal.entries()) {
    const [from, to] = tape.rows(lane, end);
    if (isOf) count += to - from;
  }
  return count;
}

/** Plays quotes without actions in spans, with the same result as one by one. */
export class QuietSpans {
  private readonly options: QuietSpansOptions;
  private rows = START_ROWS;
  private rest = 0;
  private nextRest = 1;
  private passed = 0;
  /** How often quotes were looked at together, and how many in all. */
  readonly looks = { times: 0, rows: 0 };
  /** True where the row behind the last span was found to act. */
  private isNextActing = false;
  private playing: PlayedLanes | undefined;
  private readonly tape = new QuoteTape(MAX_ROWS);

  constructor(options: QuietSpansOptions) {
    this.options = options;
  }

  /** Plays quotes up to one that may lead to an action; false if that is the next one. */
  play(): boolean {
    if (this.rest > 0) {
      this.rest -= 1;
      return false;
    }
    const { recorded } = this.options.feed;
    const isActing = this.isNextActing;
    this.isNextActing = false;
    const came = typeof recorded === 'string' || isActing ? 'quote' : this.playOn(recorded);
    if (came === 'span') this.nextRest = 1;
    if (came !== 'quote') return came === 'span';
    this.rest = this.nextRest - 1;
    this.nextRest = Math.min(2 * this.nextRest, MAX_REST);
    return false;
  }

  /** The strategies for which most quotes were played one by one. */
  oneByOne(): readonly PlayedOneByOne[] {
    const { feed, engine } = this.options;
    if (this.passed * 2 >= feed.delivered) return [];
    const { recorded } = feed;
    const reasons = engine.quotes.quiet.oneByOne();
    const why = typeof recorded === 'string' ? recorded : 'it acts, or is about to, on most quotes';
    return [...reasons].map(([strategy, own]) => ({ strategy, why: own ?? why }));
  }

  /** Plays a span, or returns that an event or the next quote comes first. */
  private playOn(sources: readonly RecordedLane[]): 'span' | 'event' | 'quote' {
    const { timers, feed, engine } = this.options;
    const playing = this.playing?.sources === sources ? this.playing : this.lanesOf(sources);
    const { lanes, quoteOf, ends, rows } = playing;
    if (lanes.length === 0 || engine.quotes.isStopped || !engine.quotes.quiet.isIdle(lanes)) return 'quote';
    const before = this.nextElse(sources);
    if (before === undefined) return 'quote';
    const { tape } = this;
    for (const [lane, next] of rows.entries()) next.from = sources[lane]?.row ?? next.columns.length;
    tape.fill(rows, this.rows, before);
    const { length } = tape;
    if (length === 0) return feed.nextAt < before ? 'quote' : 'event';
    if (length < MIN_SPAN) return 'event';
    if (sources.length > 1) this.countLocalIds(sources);
    const ahead = { tape, lanes, quoteOf };
    const reach = engine.quotes.quiet.signalled(ahead);
    const end = reach < MIN_SPAN ? 0 : this.passable(ahead, reach);
    if (end === 0) {
      const next = feed.nextAt;
      engine.quotes.quiet.leave(ahead);
      return reach > 0 && reach < MIN_SPAN ? 'event' : (timers.nextDue ?? before) <= next ? 'event' : 'quote';
    }
    this.pass(ahead, ends, end);
    this.isNextActing = end < length;
    return 'span';
  }

  /** How many of the quotes that no signal stops can be played; more are tried next where all can. */
  private passable(ahead: Ahead, reach: number): number {
    const { tape, looks } = this;
    const end = this.options.engine.quotes.quiet.lookAhead(ahead, reach);
    looks.times += 1;
    looks.rows += reach;
    // Signals are known ahead; the order of several lanes is found anew.
    const isCut = end < (tape.lanes.length > 1 ? tape.length : reach);
    this.rows = isCut ? Math.max(MIN_ROWS, Math.min(2 * end, START_ROWS)) : Math.min(2 * this.rows, MAX_ROWS);
    return end;
  }

  /** What is played of some lanes; without lanes where that cannot be done. */
  private lanesOf(sources: readonly RecordedLane[]): PlayedLanes {
    const { quotes } = this.options.engine;
    const lanes = sources.flatMap((source) => quotes.standingOf(source.recorded.lane) ?? []);
    const isWhole = lanes.length === sources.length && lanes.length <= MAX_LANES;
    for (const source of sources) source.idsBefore = undefined;
    this.playing = {
      sources,
      lanes: isWhole ? lanes : [],
      quoteOf: sources.map((source) => source.quoteOf),
      ends: sources.map((source) => ({ source, rows: [0, 0] })),
      rows: sources.map(({ recorded, isImported }) => ({ columns: recorded, from: 0, isImported })),
    };
    return this.playing;
  }

  /** Until when nothing but quotes comes; undefined where the next quote of each lane is played by itself. */
  private nextElse(sources: readonly RecordedLane[]): Millis | undefined {
    const { clock, timers, answers, until } = this.options;
    let before = Math.min(clock.nextWake ?? until, timers.nextDue ?? until, answers.nextDue ?? until, until);
    let isAny = false;
    for (const source of sources) {
      before = Math.min(before, source.endsAt);
      // A quote that begins a subscription is played by itself.
      if (source.row === undefined) before = Math.min(before, source.nextAt);
      else isAny = true;
    }
    return isAny ? before : undefined;
  }

  /** Local ids are counted over all lanes, in the order in which their quotes come. */
  private countLocalIds(sources: readonly RecordedLane[]): void {
    const { tape } = this;
    const isLocal = sources.map((source) => source.isLocal);
    for (const [lane, source] of sources.entries()) source.idsBefore = (row) => localIds(tape, isLocal, tape.placeOf(lane, row));
  }

  /** Takes the quotes before a place of the tape. */
  private pass(ahead: Ahead, ends: PlayedLanes['ends'], end: number): void {
    const { clock, feed, inbox, engine } = this.options;
    const { tape } = this;
    const isLocal = ends.map(({ source }) => source.isLocal);
    for (const [lane, one] of ends.entries()) one.rows = tape.rows(lane, end);
    const last = feed.pass(ends, localIds(tape, isLocal, end));
    let at = Number.NEGATIVE_INFINITY;
    for (const one of last) if (one && one.at > at) at = one.at;
    clock.moveTo(at);
    inbox.pass(end);
    engine.quotes.quiet.pass(ahead, { end, at, last, n: inbox.handled });
    this.passed += end;
  }
}
