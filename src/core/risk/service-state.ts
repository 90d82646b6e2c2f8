import type { DecisionLog } from '#core/decisions/decision-log.ts';
import type { Condition } from '#domain/event.ts';
import type { AnswerReport } from '#domain/execution-report.ts';
import type { Millis, OrderId } from '#domain/names.ts';
import type { OrderCore } from '#domain/order.ts';
import type { TimeState } from '#domain/time-state.ts';

/** Why no order may go out because of time itself. */
type ClockReason = 'CLOCK_STEP' | 'CLOCK_UNSURE' | 'CLOCK_OLD' | 'LAG';

/** No order goes out while the service's time is known less exactly than this, or is older than that. */
const MAX_HALF_WIDTH_MS = 1500;
const OLDEST_MS = 5 * 60_000;

const LIMITS: Readonly<Record<ClockReason, number | string>> = {
  CLOCK_STEP: 'no step within 10 s',
  CLOCK_UNSURE: MAX_HALF_WIDTH_MS,
  CLOCK_OLD: OLDEST_MS,
  LAG: 250,
};

/** Why orders are held back: the figure in milliseconds, and its limit. */
export interface TimeFault {
  readonly reason: ClockReason;
  readonly figure: number | string;
  readonly limit: number | string;
}

/** The service's clock as an inbox event gives it: against engine time, how old that reading is, and against this machine's wall clock. */
interface ClockReading {
  readonly offsetMs: number;
  readonly halfWidthMs: number;
  readonly ageMs: number;
  readonly machineOffsetMs?: number;
}

/**
 * What the engine knows of time: how far the service's clock is from engine time, how sure that is, and whether this
 * machine keeps up. While it is not sure enough no order goes out, neither opening nor exit, since nobody could say
 * whether the quote still lives. Changes are journaled once.
 */
export class ClockState {
  private readonly log: DecisionLog;
  private readonly notice: (level: 'info' | 'warn', text: string) => void;
  private reading: (ClockReading & { readonly sampledAt: Millis }) | null = null;
  private stepped = false;
  private lost = false;
  private late = false;
  private p99Ms = 0;
  /** The state in the last row; undefined before the first good reading. */
  private told: ClockReason | null | undefined;
  /** Up to then no time that passes changes the state, so that `poll` has nothing to do. */
  standsUntil: Millis = Number.POSITIVE_INFINITY;

  constructor(options: { readonly log: DecisionLog; readonly notice: (level: 'info' | 'warn', text: string) => void }) {
    this.log = options.log;
    this.notice = options.notice;
  }

  clock(reading: ClockReading): void {
    this.standsUntil = Number.NEGATIVE_INFINITY;
    this.reading = { ...reading, sampledAt: this.log.now - reading.ageMs };
    this.poll();
  }

  /** `clock-step`: wall and monotonic time have parted. `clock`: what was known is void. `lag`: the loop is late by `figure` milliseconds. */
  condition(name: Extract<Condition, 'clock-step' | 'clock' | 'lag'>, on: boolean, figure: number): void {
    this.standsUntil = Number.NEGATIVE_INFINITY;
    if (name === 'clock-step') this.stepped = on;
    else if (name === 'clock') this.lost = on;
    else this.lag(on, figure);
    if (on && name !== 'lag') this.reading = null;
    this.poll();
  }

  /** Why no order may go out now, or null. */
  get fault(): TimeFault | null {
    if (this.told === null && !this.late && this.log.now <= this.standsUntil) return null;
    const reason = this.clockRefusal ?? (this.late ? 'LAG' : null);
    if (reason === null) return null;
    return { reason, figure: this.figureOf(reason), limit: LIMITS[reason] };
  }

  /** For people; changes nothing. */
  get state(): TimeState {
    return { reason: this.fault?.reason ?? null, ...this.shown };
  }

  /** Against this machine's clock: engine time follows the service's. */
  private get shown(): Pick<TimeState, 'offsetMs' | 'halfWidthMs'> {
    if (this.reading === null) return { offsetMs: null, halfWidthMs: null };
    const { offsetMs, machineOffsetMs = offsetMs, halfWidthMs } = this.reading;
    return { offsetMs: machineOffsetMs, halfWidthMs };
  }

  /** Age of the last reading of the service's clock; null before the first. */
  ageMs(now: Millis): number | null {
    return this.reading === null ? null : now - this.reading.sampledAt;
  }

  /** Milliseconds for which something that dies at `validUntil`, on the service's clock, lives for certain. */
  timeLeftMs(validUntil: Millis, now: Millis = this.log.now): number {
    const { offsetMs, halfWidthMs } = this.reading ?? { offsetMs: 0, halfWidthMs: 0 };
    return validUntil - (now + offsetMs) - halfWidthMs;
  }

  /** Until when the service's time stays known well enough without a further reading; long ago where it is not. */
  get knownUntil(): Millis {
    return this.told !== null || this.clockRefusal !== null ? Number.NEGATIVE_INFINITY : (this.reading?.sampledAt ?? 0) + OLDEST_MS;
  }

  /** Journals a change of state, also one that is due to elapsed time alone. */
  poll(): void {
    const reason = this.clockRefusal;
    this.standsUntil = reason === null && this.reading ? this.reading.sampledAt + OLDEST_MS : Number.POSITIVE_INFINITY;
    if (reason === this.told || (this.told === undefined && reason !== null)) return;
    const first = this.told === undefined;
    this.told = reason;
    const { offsetMs, halfWidthMs } = this.shown;
    this.log.defer(this.log.make('clock', { sure: reason === null, offsetMs, halfWidthMs }, { reason }));
    if (reason !== null) this.notice('warn', `the service's time is not known well enough (${reason}); orders wait`);
    else if (!first) this.notice('info', `the service's time is known again, to ${halfWidthMs} ms; orders go on`);
  }

  private get clockRefusal(): Exclude<ClockReason, 'LAG'> | null {
    if (this.stepped) return 'CLOCK_STEP';
    if (this.lost || this.reading === null || this.reading.halfWidthMs > MAX_HALF_WIDTH_MS) return 'CLOCK_UNSURE';
    return this.log.now - this.reading.sampledAt > OLDEST_MS ? 'CLOCK_OLD' : null;
  }

  private figureOf(reason: ClockReason): number | string {
    if (reason === 'CLOCK_STEP') return 'a step';
    if (reason === 'LAG') return this.p99Ms;
    if (this.lost || this.reading === null) return 'unknown';
    return reason === 'CLOCK_OLD' ? this.log.now - this.reading.sampledAt : this.reading.halfWidthMs;
  }

  private lag(on: boolean, p99Ms: number): void {
    if (on === this.late) return;
    this.late = on;
    this.p99Ms = p99Ms;
    this.log.defer(this.log.make('lag', { on, p99Ms }, { reason: on ? 'LAG' : null }));
    const what = `the event loop is ${p99Ms} ms late at the 99th percentile`;
    this.notice(on ? 'warn' : 'info', on ? `${what}; orders wait` : `${what}; orders go on`);
  }
}

/** Answers that the percentile is computed from: of a hundred it is the second longest. */
const KEPT = 100;
/** Older answers are dropped, so that one slow hour does not block orders for good. */
const MAX_AGE_MS = 600_000;

/** Round trips of answered orders; they set how much time a quote must have left. Orders without an answer are not counted. */
export class RoundTrips {
  /** The oldest first. */
  private readonly answers: { readonly at: Millis; readonly ms: number }[] = [];
  /** The cached percentile; undefined once an answer was added or dropped. */
  private known: number | undefined = 0;
  /** When the answer came whose round trip is the percentile. */
  private knownAt: Millis = 0;

  add(at: Millis, ms: number): void {
    if (this.answers.push({ at, ms }) > KEPT) this.answers.shift();
    this.known = undefined;
  }

  /** The 99th percentile of the last answers in whole milliseconds, rounded up; zero while there are none. */
  p99(now: Millis): number {
    while (now - (this.answers[0]?.at ?? now) > MAX_AGE_MS) {
      this.answers.shift();
      this.known = undefined;
    }
    if (this.known !== undefined) return this.known;
    const none = { at: 0, ms: 0 };
    let [longest, next] = [none, none];
    for (const one of this.answers) {
      // Of equal ones the newest counts: the percentile stands as long as it.
      if (one.ms >= longest.ms) [longest, next] = [one, longest];
      else if (one.ms >= next.ms) next = one;
    }
    // Of a hundred the 99th, of fewer the last.
    const { at, ms } = this.answers.length === KEPT ? next : longest;
    this.knownAt = at;
    this.known = Math.ceil(ms);
    return this.known;
  }

  /** Until when the percentile stays as high, if no answer is added; undefined while there are no answers. */
  standsUntil(now: Millis): Millis | undefined {
    return this.p99(now) === 0 ? undefined : this.knownAt + MAX_AGE_MS;
  }
}

/**
 * The wait that the service asked for (429 with `Retry-After`). Openings wait for its end; one exit may be tried meanwhile,
 * since the service may count by another measure than ours (F09).
 */
export class RateLimitBackoff {
  private until: Millis = Number.NEGATIVE_INFINITY;
  /** The exit that was tried. */
  private tried: Pick<OrderCore, 'id'> | null = null;

  /** Continues a wait that an earlier run was asked for. */
  restore(until: Millis | null): void {
    if (until !== null) this.until = until;
  }

  answered({ retryAfterMs }: AnswerReport, at: Millis): void {
    if (retryAfterMs === undefined) return;
    if (at >= this.until) this.tried = null;
    this.until = Math.max(this.until, at + retryAfterMs);
  }

  /** An order that reduces a position was committed. */
  exitCommitted(order: Pick<OrderCore, 'id' | 'intentAt'>): void {
    if (order.intentAt < this.until) this.tried = order;
  }

  /** An order never left: it was no try. */
  neverLeft(id: OrderId): void {
    if (id === this.tried?.id) this.tried = null;
  }

  /** How long an opening still waits, in milliseconds; zero for not at all. */
  openingLeftMs(at: Millis): Millis {
    return Math.max(0, this.until - at);
  }

  /** How long an exit still waits, in milliseconds. */
  exitLeftMs(at: Millis): Millis {
    return this.tried !== null ? this.openingLeftMs(at) : 0;
  }

  /** When the wait ends; null if there is none at that instant. */
  endsAt(at: Millis): Millis | null {
    return at < this.until ? this.until : null;
  }
}
