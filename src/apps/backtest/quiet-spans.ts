import type { VirtualClock } from '#adapters/time/virtual-clock.ts';
import type { VirtualTimers } from '#adapters/time/virtual-timers.ts';
import type { Engine } from '#core/engine/engine.ts';
import type { Inbox } from '#core/engine/inbox.ts';
import type { StandingLane } from '#core/engine/standing-lane.ts';
import { firstAt } from '#domain/columns-memory.ts';
import type { Millis, StrategyId } from '#domain/names.ts';
import type { RecordedFeed } from './replay/recorded-feed.ts';
import type { RecordedLane } from './replay/recorded-lane.ts';
import { READING, type Readings } from './surroundings.ts';

interface QuietSpansOptions {
  readonly clock: VirtualClock;
  readonly timers: VirtualTimers;
  readonly answers: VirtualTimers;
  readonly feed: RecordedFeed;
  readonly inbox: Inbox;
  readonly engine: Engine;
  /** Samples of the service's clock; undefined if they were recorded. */
  readonly readings: Readings | undefined;
  readonly until: Millis;
}

/** Rows that are checked together: few after a quote that led to an action, twice as many as came before it, more without one. */
const MIN_ROWS = 16;
const START_ROWS = 64;
const MAX_ROWS = 4_096;
/** Maximum number of single quotes before spans are tried again. */
const MAX_REST = 32;

/** A strategy whose quotes were played one by one, and why. */
export interface PlayedOneByOne {
  readonly strategy: StrategyId;
  readonly why: string;
}

/** Plays quotes without actions in spans, with the same result as one by one. */
export class QuietSpans {
  private readonly options: QuietSpansOptions;
  private rows = START_ROWS;
  private rest = 0;
  private nextRest = 1;
  private passed = 0;
  /** True where the row behind the last span was found to act. */
  private isNextActing = false;

  constructor(options: QuietSpansOptions) {
    this.options = options;
  }

  /** Plays quotes up to one that may lead to an action; false if that is the next one. */
  play(): boolean {
    if (this.rest > 0) {
      this.rest -= 1;
      return false;
    }
    const { alone } = this.options.feed;
    const came = typeof alone === 'string' || this.isNextActing ? 'quote' : this.playOn(alone);
    this.isNextActing = false;
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
    const { alone } = feed;
    const reasons = engine.quotes.quiet.oneByOne();
    const why = typeof alone === 'string' ? alone : 'it acts, or is about to, on most quotes';
    return [...reasons].map(([strategy, own]) => ({ strategy, why: own ?? why }));
  }

  /** Plays a span, or returns that an event or the next quote comes first. */
  private playOn(source: RecordedLane): 'span' | 'event' | 'quote' {
    const { clock, timers, answers, feed, inbox, engine, readings, until } = this.options;
    const { row: from, recorded: columns } = source;
    const lane = from === undefined ? undefined : engine.quotes.standingOf(columns.lane);
    if (from === undefined || lane === undefined || !engine.quotes.quiet.isIdle(lane)) return 'quote';
    const before = Math.min(clock.nextWake ?? until, timers.nextOnce ?? until, answers.nextDue ?? until, source.endsAt, until);
    if (this.playPause(lane, Math.min(columns.at[from] ?? 0, before - 1))) return 'span';
    const most = Math.min(from + this.rows, columns.length);
    const to = (columns.at[most - 1] ?? 0) < before ? most : Math.min(most, firstAt(columns.at, before));
    if (to <= from) return 'event';
    const ahead = {
      columns,
      rows: [from, to] as const,
      quoteOf: source.quoteOf,
      readings: readings && { next: readings.next, everyMs: readings.everyMs },
    };
    const end = engine.quotes.quiet.lookAhead(lane, ahead);
    const span = { ...ahead, rows: [from, end] as const };
    this.rows = end < to ? Math.max(MIN_ROWS, Math.min(2 * (end - from), START_ROWS)) : Math.min(2 * this.rows, MAX_ROWS);
    if (end === from) {
      engine.quotes.quiet.leave(lane, span);
      return (timers.nextDue ?? until) <= (columns.at[from] ?? 0) ? 'event' : 'quote';
    }
    const at = columns.at[end - 1] ?? 0;
    const quote = feed.pass(source, end - 1, end - from);
    const looks = readings?.skip(at) ?? 0;
    clock.moveTo(at);
    inbox.pass(end - from + looks);
    const read = looks === 0 || !ahead.readings ? undefined : ahead.readings.next + (looks - 1) * ahead.readings.everyMs;
    engine.quotes.quiet.pass(lane, span, { last: { quote, at }, read, reading: READING, n: inbox.handled });
    this.passed += end - from;
    this.isNextActing = end < to;
    return 'span';
  }

  /** Plays clock samples up to and including a time while the lane pauses; false if none is due or one has further effects. */
  private playPause(lane: StandingLane, upTo: Millis): boolean {
    const { clock, inbox, engine, readings } = this.options;
    if (!readings || readings.next > upTo || !engine.quotes.quiet.isPaused(lane)) return false;
    const { next, everyMs } = readings;
    const looks = readings.skip(upTo);
    const last = next + (looks - 1) * everyMs;
    clock.moveTo(last);
    inbox.pass(looks);
    engine.quotes.quiet.passReadings({ next, everyMs }, { last, reading: READING, n: inbox.handled });
    return true;
  }
}
