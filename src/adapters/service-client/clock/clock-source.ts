import type { Notice } from '#ports/notice.ts';
import type { Timers } from '#ports/timers.ts';
import { ClockOffset, type OffsetBound } from './clock-offset.ts';
import { DateSampler, type DateSamplerOptions } from './date-samples.ts';

/** A source of the service's time, as an offset from monotonic time. */
export interface ClockSource {
  /** Begins to measure; `changed` is called after each new measurement. */
  start(changed: () => void): void;
  /** Holds true now and for the next `BOUND_FOR_MS`; undefined while nothing can be said. */
  bound(): OffsetBound | undefined;
  /** Monotonic time of the newest measurement; undefined before the first. */
  readonly newestMs: number | undefined;
  /** Discards what is known, which may be wrong, and measures again at once. */
  resync(): void;
  stop(): Promise<void>;
}

/** How long a bound holds, in milliseconds. */
export const BOUND_FOR_MS = 5000;
/** Consecutive refused answers after which a person is told. */
const MAX_REFUSED = 10;

/** The machine's own wall clock, kept by NTP or, on loopback, by the very machine that runs the service. */
export class SystemSource implements ClockSource {
  private readonly timers: Timers;
  private readonly halfWidthMs: number;
  private changed: () => void = () => {};

  constructor(timers: Timers, halfWidthMs: number) {
    this.timers = timers;
    this.halfWidthMs = halfWidthMs;
  }

  start(changed: () => void): void {
    this.changed = changed;
    changed();
  }

  bound(): OffsetBound {
    return { offsetMs: this.timers.wallMs() - this.timers.monotonicMs(), halfWidthMs: this.halfWidthMs };
  }

  get newestMs(): number {
    return this.timers.monotonicMs();
  }

  resync(): void {
    this.changed();
  }

  async stop(): Promise<void> {}
}

interface DateSourceTold {
  readonly notice: Notice;
  /** Told how long each answer took. */
  readonly onRoundTrip?: ((roundTripMs: number) => void) | undefined;
}

/** The `Date` of the service's own answers. */
export class DateSource implements ClockSource {
  private readonly timers: Timers;
  private readonly offset = new ClockOffset();
  private readonly sampler: DateSampler;
  private readonly notice: Notice;
  private changed: () => void = () => {};
  private known: { readonly bound: OffsetBound; readonly untilMs: number } | undefined;
  private refusedInARow = 0;

  /** Throws CONFIG_INVALID for an address or a path that cannot be used. */
  constructor(options: Pick<DateSamplerOptions, 'baseUrl' | 'service' | 'timers' | 'dial'> & DateSourceTold) {
    const { notice, onRoundTrip, ...rest } = options;
    this.timers = rest.timers;
    this.notice = notice;
    this.sampler = new DateSampler({
      ...rest,
      guess: (atMs) => this.offset.guess(atMs),
      sample: (answer) => {
        onRoundTrip?.(answer.receivedMs - answer.sentMs);
        this.accept(this.offset.add(answer));
      },
      refused: (why) => this.refused(why),
    });
  }

  start(changed: () => void): void {
    this.changed = changed;
    this.sampler.burst();
  }

  bound(): OffsetBound | undefined {
    const now = this.timers.monotonicMs();
    if (this.known !== undefined && now < this.known.untilMs) return this.known.bound;
    // One look ahead more than is promised, so that the bound asked for next still holds for as long.
    const bound = this.offset.bound(now, now + 2 * BOUND_FOR_MS);
    this.known = bound && { bound, untilMs: now + BOUND_FOR_MS };
    return bound;
  }

  get newestMs(): number | undefined {
    return this.offset.newestMs;
  }

  resync(): void {
    this.offset.reset();
    this.known = undefined;
    this.sampler.burst();
  }

  stop(): Promise<void> {
    return this.sampler.close();
  }

  private accept(agrees: boolean): void {
    this.refusedInARow = 0;
    this.known = undefined;
    if (!agrees) {
      this.notice('error', "the service's answers carry times that contradict each other; orders wait until ten in a row agree");
      this.sampler.burst();
    }
    this.changed();
  }

  private refused(why: string): void {
    this.refusedInARow += 1;
    if (this.refusedInARow !== MAX_REFUSED) return;
    const mend = 'if NTP keeps the clock of this machine right, set clock.source: system';
    this.notice('warn', `the service's time cannot be read: ${why}, ${MAX_REFUSED} times in a row; ${mend}`);
  }
}
