import type { Latch } from '../domain/event.ts';
import { type StrategyId, strategyId } from '../domain/names.ts';
import type { Reason } from '../domain/reasons.ts';
import type { DecisionLog } from './decision-log.ts';
import type { HaltLatch } from './latch.ts';

/**
 * What a person, a schedule or a fault has latched: a halt, pauses, disabled strategies. Each change is journaled with
 * who and why, and survives a restart. Decisions follow what entered by the inbox; the shared latch, which other threads
 * may set before the inbox hears of it, is for the last gate alone.
 */
export class TradingState {
  private readonly log: DecisionLog;
  private readonly latch: HaltLatch;
  private readonly paused = new Set<StrategyId>();
  private allPaused = false;
  private halted = false;

  constructor(options: { log: DecisionLog; latch: HaltLatch }) {
    this.log = options.log;
    this.latch = options.latch;
  }

  /** Takes over what an earlier run left latched. Disabled strategies are the host's. */
  restore(latches: readonly Latch[]): void {
    for (const latch of latches) {
      if (latch.kind === 'halted') {
        this.latch.set();
        this.halted = true;
      }
      if (latch.kind === 'paused' && latch.strategy === null) this.allPaused = true;
      if (latch.kind === 'paused' && latch.strategy !== null) this.paused.add(strategyId(latch.strategy));
    }
  }

  get isHalted(): boolean {
    return this.halted;
  }

  isPaused(strategy: StrategyId): boolean {
    return this.allPaused || this.paused.has(strategy);
  }

  /** Sets the latch first, so that no byte leaves, and then says so; the second halt in a row changes nothing. */
  halt(reason: Reason, who: string, why: string): void {
    this.latch.set();
    if (this.halted) return;
    this.halted = true;
    this.log.commit(this.log.make('halted', { who, why }, { reason }));
  }

  /** Ends a halt and all pauses, or the pause of one strategy. Journaled first: what is not durable does not loosen. */
  resume(strategy: StrategyId | null, who: string, why: string): void {
    this.log.commit(this.log.make('resumed', { who, why }, { strategy, reason: 'BY_PERSON' }));
    if (strategy !== null) {
      this.paused.delete(strategy);
      return;
    }
    this.halted = false;
    this.allPaused = false;
    this.paused.clear();
    this.latch.clear();
  }

  /** Openings stop; exits go on. */
  pause(strategy: StrategyId | null, by: { reason: Reason; who: string; why: string }): void {
    if (strategy === null) this.allPaused = true;
    else this.paused.add(strategy);
    this.log.commit(this.log.make('paused', { who: by.who, why: by.why }, { strategy, reason: by.reason }));
  }
}
