import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { KairosError } from '#domain/errors.ts';
import type { Notice } from '#ports/notice.ts';
import type { Cancel, Timers } from '#ports/timers.ts';
import type { StrategyMeter } from './strategy-meter.ts';

/** How often memory is measured, in milliseconds. */
const LOOK_MS = 1_000;
/** Share of the bound from which each strategy's memory is measured. */
const WEIGH_AT = 0.5;
/** Share of the bound at which the process stops. */
const LEAVE_AT = 1.5;
/** Pause after a collection that found mostly garbage, in milliseconds. */
const COLLECT_EVERY_MS = 10_000;
/** Share of the bound below which a strategy is not blamed. */
const BLAME_AT = 0.1;
const MB = 1024 * 1024;

interface MemoryWatchOptions {
  /** Bound of heap and buffers together; null for none. */
  readonly maxMb: number | null;
  readonly timers: Pick<Timers, 'every' | 'monotonicMs'>;
  readonly meter: Pick<StrategyMeter, 'isWeighing' | 'heaviest' | 'forgetWeights'>;
  readonly disable: (strategy: string, why: string) => void;
  /** Stops the process in good order. */
  readonly leave: (error: KairosError) => void;
  readonly notice: Notice;
  /** The memory of this process by default. */
  readonly memory?: ProcessMemory;
}

/** The memory that strategies share. */
export interface ProcessMemory {
  /** Bytes in use, garbage included. */
  readonly usedBytes: () => number;
  /** Collects garbage. */
  readonly collect: () => void;
}

/** Bytes of the heap and of external memory, such as buffers. */
function usedBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}

/**
 * Collects garbage whenever the heap has grown by half, where V8 would wait until it is four times as large: what a start leaves behind
 * is not kept for the life of the process. For a whole process, once.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50');
}

let forced: (() => void) | undefined;

/** Collects garbage at once. It takes tens of milliseconds and is done only if a bound is exceeded. */
function collectGarbage(): void {
  if (!forced) {
    setFlagsFromString('--expose-gc');
    const found: unknown = runInNewContext('gc');
    forced = typeof found === 'function' ? () => void Reflect.apply(found, undefined, []) : () => {};
  }
  forced();
}

/** That of this process. */
export const OWN_MEMORY: ProcessMemory = { usedBytes, collect: collectGarbage };

/**
 * Bounds the memory of the process (F70). From half of `trading.maxMemoryMb` it measures which strategy adds most. Above
 * the bound, without garbage, that strategy is disabled; at one and a half times the bound the process stops, with a
 * line that names the strategy.
 */
export function watchMemory(options: MemoryWatchOptions): Cancel {
  const { maxMb, timers } = options;
  if (maxMb === null) return () => {};
  const watch = new MemoryWatch(options, maxMb * MB);
  return timers.every(LOOK_MS, () => watch.poll());
}

class MemoryWatch {
  private readonly options: MemoryWatchOptions;
  private readonly bound: number;
  private readonly memory: ProcessMemory;
  private collectedAt = Number.NEGATIVE_INFINITY;
  private blamed: string | undefined;
  private isLeaving = false;
  private isTold = false;

  constructor(options: MemoryWatchOptions, bound: number) {
    this.options = options;
    this.bound = bound;
    this.memory = options.memory ?? OWN_MEMORY;
  }

  poll(): void {
    const { meter, timers } = this.options;
    const used = this.used();
    meter.isWeighing = used > this.bound * WEIGH_AT;
    if (!meter.isWeighing) meter.forgetWeights();
    if (used <= this.bound) return;
    const now = timers.monotonicMs();
    if (now - this.collectedAt < COLLECT_EVERY_MS && used <= this.bound * LEAVE_AT) return;
    this.memory.collect();
    this.collectedAt = now;
    const held = this.used();
    if (held > this.bound) this.over(held);
  }

  private over(held: number): void {
    const { meter, disable, leave, notice, maxMb } = this.options;
    const { heaviest } = meter;
    const is = `${Math.round(held / MB)} MB of memory are in use, above trading.maxMemoryMb (${maxMb})`;
    if (heaviest && heaviest.strategy !== this.blamed && heaviest.bytes > this.bound * BLAME_AT) {
      this.blamed = heaviest.strategy;
      disable(heaviest.strategy, `${is}, and ${Math.round(heaviest.bytes / MB)} MB were added while it ran`);
      meter.forgetWeights();
      // The next collection frees its streams' memory.
      this.collectedAt = Number.NEGATIVE_INFINITY;
      return;
    }
    if (held > this.bound * LEAVE_AT) {
      if (this.isLeaving) return;
      this.isLeaving = true;
      const who = this.blamed === undefined ? 'no strategy added any of it' : `strategy ${this.blamed} added most of it`;
      return leave(new KairosError('MEMORY_FULL', `${is}: ${who}; the daemon has ended, and a restart frees it`));
    }
    if (this.isTold) return;
    this.isTold = true;
    notice('error', `${is}${this.blamed === undefined ? '' : `, most of it of strategy ${this.blamed}`}; a restart frees it`);
  }

  private used(): number {
    return this.memory.usedBytes();
  }
}
