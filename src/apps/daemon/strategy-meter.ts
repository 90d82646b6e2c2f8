import type { Millis } from '#domain/names.ts';
import type { Timers } from '#ports/timers.ts';

/** Slow events of one strategy within a minute: the third is told, the fifth disables it, before the watchdog must end the process. */
const WINDOW_MS: Millis = 60_000;
const TELL_AT = 3;
const DISABLE_AT = 5;

interface StrategyMeterOptions {
  readonly timers: Pick<Timers, 'monotonicMs'>;
  /** How long one strategy may work at one event; null: as long as it likes. */
  readonly maxMs: number | null;
  /** Told of a strategy's third and fifth slow event within a minute: how long it took. */
  readonly onSlow: (strategy: string, slow: { readonly tookMs: number; readonly isLast: boolean }) => void;
  /** Bytes in use, for who looks where they come from. */
  readonly usedBytes: () => number;
}

/** What is measured of one strategy. */
interface Measured {
  spentMs: number;
  grownBytes: number;
  /** When its slow events of the last minute were. */
  slowAt: readonly number[];
}

/**
 * Measures from outside what each strategy takes: time at each event, and memory while somebody looks for who takes it. The
 * engine hears of it by events alone. Told whose code runs, as the watchdog is.
 */
export class StrategyMeter {
  /** Set while memory is short: what each strategy adds is counted then. */
  isWeighing = false;
  /** Called after the code of each strategy, while somebody looks for who does something. */
  afterEach: ((strategy: string) => void) | undefined;
  private readonly options: StrategyMeterOptions;
  private readonly measured = new Map<string, Measured>();
  /** Strategies that ran at this event, and in this turn of the loop. */
  private readonly ran = new Set<string>();
  private readonly ranInTurn = new Set<string>();
  private inside: string | null = null;
  private sinceMs = 0;
  private weighedBytes = 0;

  constructor(options: StrategyMeterOptions) {
    this.options = options;
  }

  /** From now on the code of this strategy runs, or none's. */
  enter(strategy: string | null): void {
    const now = this.options.timers.monotonicMs();
    if (this.inside !== null) {
      const of = this.of(this.inside);
      of.spentMs += now - this.sinceMs;
      this.afterEach?.(this.inside);
      if (this.isWeighing) of.grownBytes += Math.max(0, this.options.usedBytes() - this.weighedBytes);
    }
    this.inside = strategy;
    if (strategy === null) return;
    this.ran.add(strategy);
    this.sinceMs = now;
    if (this.isWeighing) this.weighedBytes = this.options.usedBytes();
  }

  /** A turn of the loop begins in which events are handled. */
  beginTurn(): void {
    this.ranInTurn.clear();
  }

  /** An event was handled to its end. */
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

  /** The one strategy that ran in this turn of the loop; undefined where several did, or none. */
  get onlyOne(): string | undefined {
    const [first, second] = this.ranInTurn;
    return second === undefined ? first : undefined;
  }

  /** Who added most since memory is weighed, with how much; undefined where nobody did. */
  get heaviest(): { readonly strategy: string; readonly bytes: number } | undefined {
    const [first] = [...this.measured].sort(([, a], [, b]) => b.grownBytes - a.grownBytes);
    return first === undefined || first[1].grownBytes === 0 ? undefined : { strategy: first[0], bytes: first[1].grownBytes };
  }

  /** What was weighed so far counts no more. */
  forgetWeights(): void {
    for (const of of this.measured.values()) of.grownBytes = 0;
  }

  private slow(strategy: string, of: Measured, tookMs: number): void {
    const now = this.options.timers.monotonicMs();
    of.slowAt = [...of.slowAt.filter((at) => at > now - WINDOW_MS), now];
    const times = of.slowAt.length;
    if (times === TELL_AT || times >= DISABLE_AT)
      this.options.onSlow(strategy, { tookMs: Math.round(tookMs), isLast: times >= DISABLE_AT });
    if (times >= DISABLE_AT) of.slowAt = [];
  }

  private of(strategy: string): Measured {
    let of = this.measured.get(strategy);
    if (!of) {
      of = { spentMs: 0, grownBytes: 0, slowAt: [] };
      this.measured.set(strategy, of);
    }
    return of;
  }
}
