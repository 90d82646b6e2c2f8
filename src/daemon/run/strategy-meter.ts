import type { Millis } from '#domain/names.ts';
import type { Timers } from '#ports/timers.ts';

/**
 * Slow events of one strategy within this time count together, in milliseconds: the third is reported, the fifth
 * disables it before the watchdog has to end the process.
 */
const WINDOW_MS: Millis = 60_000;
const TELL_AT = 3;
const DISABLE_AT = 5;

interface StrategyMeterOptions {
  readonly timers: Pick<Timers, 'monotonicMs'>;
  /** Time limit of one strategy for one event, in milliseconds; null for none. */
  readonly maxMs: number | null;
  /** Called for a strategy's third and fifth slow event within a minute, with the time it took. */
  readonly onSlow: (strategy: string, slow: { readonly tookMs: number; readonly isLast: boolean }) => void;
  /** Memory in use, in bytes. */
  readonly usedBytes: () => number;
}

interface Measurements {
  spentMs: number;
  grownBytes: number;
  /** Times of its slow events in the last minute. */
  slowAt: readonly number[];
}

/**
 * Measures each strategy from outside: its time for each event, and its memory while memory is short. The engine learns
 * of it by events only. Like the watchdog, it is told whose code runs.
 */
export class StrategyMeter {
  /** True while memory is short and each strategy's additions are measured. */
  isWeighing = false;
  private readonly options: StrategyMeterOptions;
  private readonly measured = new Map<string, Measurements>();
  /** Strategies that ran at this event, and in this turn of the loop. */
  private readonly ran = new Set<string>();
  private readonly ranInTurn = new Set<string>();
  private inside: string | null = null;
  private sinceMs = 0;
  private weighedBytes = 0;

  constructor(options: StrategyMeterOptions) {
    this.options = options;
  }

  /** Sets the strategy whose code runs from now on; null for none. */
  enter(strategy: string | null): void {
    const now = this.options.timers.monotonicMs();
    if (this.inside !== null) {
      const of = this.of(this.inside);
      of.spentMs += now - this.sinceMs;
      if (this.isWeighing) of.grownBytes += Math.max(0, this.options.usedBytes() - this.weighedBytes);
    }
    this.inside = strategy;
    if (strategy === null) return;
    this.ran.add(strategy);
    this.sinceMs = now;
    if (this.isWeighing) this.weighedBytes = this.options.usedBytes();
  }

  beginTurn(): void {
    this.ranInTurn.clear();
  }

  /** Ends an event. */
  endEvent(): void {
    if (this.ran.size === 0) return;
    for (const strategy of this.ran) {
      this.ranInTurn.add(strategy);
      const of = this.of(strategy);
      const tookMs = of.spentMs;
      of.spentMs = 0;
      if (this.options.maxMs !== null && tookMs > this.options.maxMs) this.slow(strategy, of, tookMs);
    }
    this.ran.clear();
  }

  /** The only strategy that ran in this turn of the loop; undefined for several or none. */
  get onlyOne(): string | undefined {
    const [first, second] = this.ranInTurn;
    return second === undefined ? first : undefined;
  }

  /** The strategy that added most memory since measuring began, with the amount; undefined for none. */
  get heaviest(): { readonly strategy: string; readonly bytes: number } | undefined {
    const [first] = [...this.measured].sort(([, a], [, b]) => b.grownBytes - a.grownBytes);
    return first === undefined || first[1].grownBytes === 0 ? undefined : { strategy: first[0], bytes: first[1].grownBytes };
  }

  /** Resets the measured memory. */
  forgetWeights(): void {
    for (const of of this.measured.values()) of.grownBytes = 0;
  }

  private slow(strategy: string, of: Measurements, tookMs: number): void {
    const now = this.options.timers.monotonicMs();
    of.slowAt = [...of.slowAt.filter((at) => at > now - WINDOW_MS), now];
    const times = of.slowAt.length;
    if (times === TELL_AT || times >= DISABLE_AT)
      this.options.onSlow(strategy, { tookMs: Math.round(tookMs), isLast: times >= DISABLE_AT });
    if (times >= DISABLE_AT) of.slowAt = [];
  }

  private of(strategy: string): Measurements {
    let of = this.measured.get(strategy);
    if (!of) {
      of = { spentMs: 0, grownBytes: 0, slowAt: [] };
      this.measured.set(strategy, of);
    }
    return of;
  }
}
